"""The submission reads the user's keys and settings: ~/.ssh, ~/.aws, ~/.netrc, by the host's own paths and by `~`."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.conftest import Judge
from tests.attacks.scene import host_untouched

READ = """
homes=USERHOME
[ "$PWD" = /workspace ] && homes="USERHOME $HOME /root $(echo /home/*)"  # in the open, nobody's home but the test's own
for home in $homes; do
  for file in .ssh/id_key .aws/credentials .netrc .config/rexbench/secret; do
    [ -r "$home/$file" ] && cat "$home/$file"
  done
done
[ "$PWD" = /workspace ] || exit 0
for file in /etc/shadow /etc/ssh /run/secrets; do [ -e $file ] && echo "PRIVATE $file"; done
ls -A ~ /root /home /mnt /media /srv /var /run 2>/dev/null | grep -v -e : -e '^$'
exit 0
"""


def test_the_home_of_the_user_is_not_there(
    judge: Judge,
    logs: Callable[..., str],
    patch_of: Callable[..., bytes],
    unprotected: Callable[[bytes], subprocess.CompletedProcess[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user = tmp_path / "user"
    for name in (".ssh/id_key", ".aws/credentials", ".netrc", ".config/rexbench/secret"):
        (user / name).parent.mkdir(parents=True, exist_ok=True)
        (user / name).write_text(f"PRIVATE {name}\n")
    monkeypatch.setenv("HOME", str(user))
    patch = patch_of({"run.sh": READ.replace("USERHOME", str(user))})

    with host_untouched(tmp_path):
        verdict = judge(patch)

    assert verdict.outcome == "bad_artifact"
    assert "PRIVATE" not in logs(verdict)
    shown = set(logs(verdict).split())
    assert shown <= {"rexbench", ".pyenv", ".local"}, "more of the host is shown than the way to the interpreter"

    assert unprotected(patch).stdout.count("PRIVATE") == 4
