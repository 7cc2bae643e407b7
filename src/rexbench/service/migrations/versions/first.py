"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "first"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("uploads_a_day", sa.Integer, nullable=False),
        sa.Column("most_waiting", sa.Integer, nullable=False),
        sa.Column("made_at", sa.String(32), nullable=False),
        sa.Column("closed_at", sa.String(32)),
    )
    op.create_table(
        "season",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("running", sa.Boolean, unique=True),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("nonce", sa.String(64), nullable=False),
        sa.Column("tasks", sa.JSON, nullable=False),
        sa.Column("moderated", sa.Boolean, nullable=False),
        sa.Column("started_at", sa.String(32), nullable=False),
        sa.Column("ended_at", sa.String(32)),
    )
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("season_id", sa.Integer, sa.ForeignKey("season.id"), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("runs", sa.Integer, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("lease", sa.String(32), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("not_before", sa.String(32), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("published", sa.Boolean, nullable=False),
        sa.Column("handed_in_at", sa.String(32), nullable=False),
        sa.Column("judged_at", sa.String(32)),
        sa.UniqueConstraint("account_id", "digest", "season_id"),
    )
    op.create_index("submission_queue", "submission", ["state", "id"])
    op.create_table(
        "log",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("did", sa.String(32), nullable=False),
        sa.Column("about", sa.Text, nullable=False),
    )
