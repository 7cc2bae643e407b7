"""What Alembic runs: the steps that are missing, over the connection that it is given."""

from alembic import context

from rexbench.service.tables import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
context.run_migrations()
