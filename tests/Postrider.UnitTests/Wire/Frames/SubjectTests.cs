using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Wire.Frames;

public sealed class SubjectTests
{
    private const string Alphabet = "ab*>.";

    [Theory]
    [InlineData("a", true, true)]
    [InlineData("a.b.c", true, true)]
    [InlineData("*", true, false)]
    [InlineData(">", true, false)]
    [InlineData("a.*", true, false)]
    [InlineData("a.>", true, false)]
    [InlineData("*.*.>", true, false)]
    [InlineData("a*", true, true)]
    [InlineData("a.b*.c", true, true)]
    [InlineData("a.*b", true, true)]
    [InlineData("a>", true, true)]
    [InlineData("a.>b", true, true)]
    [InlineData("**", true, true)]
    [InlineData("$SYS.REQ", true, true)]
    [InlineData("ä.ö", true, true)]
    [InlineData("", false, false)]
    [InlineData(".", false, false)]
    [InlineData("a.", false, false)]
    [InlineData(".a", false, false)]
    [InlineData("a..b", false, false)]
    [InlineData(">.a", false, false)]
    [InlineData("a.>.b", false, false)]
    [InlineData(" ", false, false)]
    [InlineData("a b", false, false)]
    [InlineData("a.b ", false, false)]
    [InlineData("a\tb", false, false)]
    [InlineData("a\r", false, false)]
    [InlineData("a\n", false, false)]
    [InlineData("a\fb", false, false)]
    public void Subject_is_valid_and_literal_as_the_rules_say(string subject, bool valid, bool literal)
    {
        Assert.Equal(valid, Subject.IsValid(Utf8(subject)));
        Assert.Equal(literal, Subject.IsLiteral(Utf8(subject)));
    }

    [Theory]
    [InlineData("a", "a", true)]
    [InlineData("a", "b", false)]
    [InlineData("a", "*", true)]
    [InlineData("a", ">", true)]
    [InlineData("a.b", "*", false)]
    [InlineData("a.b", ">", true)]
    [InlineData("a.b", "a.*", true)]
    [InlineData("a.b", "*.b", true)]
    [InlineData("a.b", "a.>", true)]
    [InlineData("a", "a.>", false)]
    [InlineData("a", "a.*", false)]
    [InlineData("a.b.c", "a.*", false)]
    [InlineData("a.b.c", "a.>", true)]
    [InlineData("a.b.c", "*.*.*", true)]
    [InlineData("a.b.c", "a.b.c.>", false)]
    [InlineData("a.*", "a.*", true)]
    [InlineData("a.>", "a.>", true)]
    [InlineData("a.>", "a.*", false)]
    [InlineData("a.*", "a.>", true)]
    [InlineData("*", "a", false)]
    [InlineData(">", ">", true)]
    [InlineData(">", "*", false)]
    public void Subject_matches_a_pattern_that_covers_it(string subject, string pattern, bool expected)
        => Assert.Equal(expected, Subject.Matches(Utf8(subject), Utf8(pattern)));

    [Theory]
    [InlineData("a", "a", true)]
    [InlineData("a", "b", false)]
    [InlineData("a.*", "*.b", true)]
    [InlineData("a.*", "b.*", false)]
    [InlineData("a.>", "a", false)]
    [InlineData("a.>", "*.b.c", true)]
    [InlineData(">", "a", true)]
    [InlineData("*.>", "a", false)]
    [InlineData("a.*.c", "a.b.*", true)]
    [InlineData("a.*.c", "a.b.d", false)]
    public void Subjects_collide_when_they_can_name_the_same(string first, string second, bool expected)
    {
        Assert.Equal(expected, Subject.Collide(Utf8(first), Utf8(second)));
        Assert.Equal(expected, Subject.Collide(Utf8(second), Utf8(first)));
    }

    [Fact]
    public void Random_subjects_are_judged_as_a_naive_model_does()
    {
        var seed = Seed.Next();
        TestContext.Current.SendDiagnosticMessage($"seed {seed}");
        var random = new Random(seed);
        // Every literal subject of up to four tokens of three letters.
        var literals = Literals(4).ToArray();
        var valid = 0;
        for (var i = 0; i < 30_000; i++)
        {
            var (first, second) = (Make(random), Make(random));
            Assert.Equal((seed, first, NaiveIsValid(first)), (seed, first, Subject.IsValid(Utf8(first))));
            Assert.Equal((seed, first, first.Split('.').Length), (seed, first, Subject.CountTokens(Utf8(first))));
            if (!NaiveIsValid(first) || !NaiveIsValid(second)) continue;
            valid++;
            var wild = first.Split('.').Any(static token => token is "*" or ">");
            Assert.Equal((seed, first, wild), (seed, first, Subject.HasWildcard(Utf8(first))));
            Assert.Equal((seed, first, !wild), (seed, first, Subject.IsLiteral(Utf8(first))));

            var (named, alsoNamed) = (literals.Where(literal => NaiveNames(first, literal)).ToHashSet(), literals.Where(literal => NaiveNames(second, literal)).ToHashSet());
            if (i % 10 == 0)
            {
                foreach (var literal in literals)
                    Assert.Equal((seed, literal, second, alsoNamed.Contains(literal)), (seed, literal, second, Subject.Matches(Utf8(literal), Utf8(second))));
            }
            Assert.Equal((seed, first, second, named.IsSubsetOf(alsoNamed)), (seed, first, second, Subject.Matches(Utf8(first), Utf8(second))));
            Assert.Equal((seed, first, second, named.Overlaps(alsoNamed)), (seed, first, second, Subject.Collide(Utf8(first), Utf8(second))));
        }
        Assert.InRange(valid, 1000, 30_000);
    }

    [Fact]
    public void Judging_allocates_nothing()
    {
        var matched = 0;

        var bytes = Allocations.PerCall(() =>
        {
            if (Subject.IsLiteral("orders.eu.1"u8) && Subject.Matches("orders.eu.1"u8, "orders.*.>"u8) && Subject.Collide("a.*"u8, "*.b"u8)) matched++;
        });

        Assert.Equal(0, bytes);
        Assert.NotEqual(0, matched);
    }

    private static byte[] Utf8(string text) => Encoding.UTF8.GetBytes(text);

    // Of at most three tokens, so that literals of four tokens tell what stands behind a '>'; single letters only, so
    // that the list of literals is complete.
    private static string Make(Random random)
    {
        if (random.Next(10) == 0) return new string([.. Enumerable.Range(0, random.Next(6)).Select(_ => Alphabet[random.Next(Alphabet.Length)])]) is var noise && noise.Split('.').All(static token => token.Length < 2) && noise.Split('.').Length < 4 ? noise : "a";
        return string.Join('.', Enumerable.Range(0, random.Next(1, 4)).Select(_ => random.Next(5) switch { 0 => "*", 1 => ">", 2 => "b", _ => "a" }));
    }

    private static IEnumerable<string> Literals(int tokens)
    {
        string[] letters = ["a", "b", "c"];
        IEnumerable<string> shorter = letters;
        foreach (var letter in letters) yield return letter;
        for (var i = 1; i < tokens; i++)
        {
            var longer = shorter.SelectMany(_ => letters, static (start, letter) => $"{start}.{letter}").ToArray();
            foreach (var literal in longer) yield return literal;
            shorter = longer;
        }
    }

    private static bool NaiveIsValid(string subject)
    {
        var tokens = subject.Split('.');
        return tokens.All(static token => token.Length > 0 && !token.Any(static letter => " \t\r\n\f".Contains(letter))) && !tokens.SkipLast(1).Contains(">");
    }

    private static bool NaiveNames(string pattern, string literal)
    {
        var (wanted, given) = (pattern.Split('.'), literal.Split('.'));
        for (var i = 0; i < wanted.Length; i++)
        {
            if (i == given.Length) return false;
            if (wanted[i] == ">") return true;
            if (wanted[i] != "*" && wanted[i] != given[i]) return false;
        }
        return wanted.Length == given.Length;
    }
}
