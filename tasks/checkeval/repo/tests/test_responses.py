# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
import unittest

from checkeval.responses import parse_output


class ParseOutput(unittest.TestCase):
    def test_accepted_forms(self) -> None:
        output = "Here are my answers:\nQ1: Yes\nQ2. no\n**Q3**: No, see the end\n4) Yes"
        self.assertEqual(parse_output(output), {1: "yes", 2: "no", 3: "no", 4: "yes"})

    def test_no_verdict_is_no_answer(self) -> None:
        output = "Q1: Unclear.\nQ2:\nQ3: Yes and no\nQ4: yes/no\nQ5: Not applicable here\nI'm sorry."
        self.assertEqual(parse_output(output), {})

    def test_contradicting_lines_are_no_answer(self) -> None:
        self.assertEqual(parse_output("Q1: Yes\nQ2: No\nQ1: No"), {2: "no"})

    def test_repeated_lines_count_once(self) -> None:
        self.assertEqual(parse_output("Q1: Yes\nQ1: yes"), {1: "yes"})


if __name__ == "__main__":
    unittest.main()
