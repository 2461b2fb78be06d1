using System.Text;
using Postrider.Storage.Subjects;

namespace Postrider.UnitTests.Storage.Subjects;

public sealed class SubjectPatternTests
{
    [Theory]
    [InlineData("a", "a", true)]
    [InlineData("a", "b", false)]
    [InlineData("a.b", "a", false)]
    [InlineData("a", "a.b", false)]
    [InlineData("a.b", "a.*", true)]
    [InlineData("a.b.c", "a.*", false)]
    [InlineData("a.b.c", "a.>", true)]
    [InlineData("a", "a.>", false)]
    [InlineData("a", ">", true)]
    [InlineData("a.b.c", "*.b.*", true)]
    [InlineData("a.b*.c", "a.b*.c", true)]
    [InlineData("a.bx.c", "a.b*.c", false)]
    [InlineData("a.b.c.d", "*.*.>", true)]
    [InlineData("a.b", "*.*.>", false)]
    public void Matches_like_the_protocol(string subject, string filter, bool expected)
        => Assert.Equal(expected, SubjectPattern.IsMatch(Encoding.UTF8.GetBytes(subject), Encoding.UTF8.GetBytes(filter)));

    [Fact]
    public void Filter_taken_apart_says_what_the_pattern_says()
    {
        var random = new Random(11);
        string[] words = ["a", "b", "ab", "*", "*", ">", ""];
        var matched = 0;
        for (var i = 0; i < 100_000; i++)
        {
            var filter = string.Join('.', Enumerable.Range(0, random.Next(1, 5)).Select(_ => words[random.Next(words.Length)]));
            var subject = string.Join('.', Enumerable.Range(0, random.Next(1, 5)).Select(_ => words[random.Next(3)]));
            var expected = SubjectPattern.IsMatch(Encoding.UTF8.GetBytes(subject), Encoding.UTF8.GetBytes(filter));
            matched += expected ? 1 : 0;

            Assert.True(expected == new WildcardFilter(Encoding.UTF8.GetBytes(filter)).IsMatch(Encoding.UTF8.GetBytes(subject)), $"'{filter}' and '{subject}': {expected}");
        }

        Assert.InRange(matched, 5_000, 95_000);
    }

    [Fact]
    public void Many_literals_and_wildcards_in_one_filter_are_all_asked()
    {
        var filter = new SubjectFilter([.. Enumerable.Range(0, 700).Select(i => $"k.{i}"), "w.*.x"]);

        Assert.True(filter.Matches("k.0"u8));
        Assert.True(filter.Matches("k.699"u8));
        Assert.False(filter.Matches("k.700"u8));
        Assert.True(filter.Matches("w.1.x"u8));
        Assert.False(filter.Matches("w.1.y"u8));
    }

    [Fact]
    public void Very_many_patterns_match_what_each_of_them_matches()
    {
        string[] tokens = ["a", "b", "c", "*", ""];
        var seed = Seed.Next();
        var random = new Random(seed);
        for (var round = 0; round < 500; round++)
        {
            var patterns = Enumerable.Range(0, random.Next(9, 30)).Select(_ => Make(4) + (random.Next(3) == 0 ? ".>" : ".*")).ToArray();
            var filter = new SubjectFilter(patterns);
            for (var i = 0; i < 20; i++)
            {
                var subject = System.Text.Encoding.UTF8.GetBytes(Make(6).Replace('*', 'd'));

                var expected = patterns.Any(pattern => SubjectPattern.IsMatch(subject, System.Text.Encoding.UTF8.GetBytes(pattern)));

                Assert.True(expected == filter.Matches(subject), $"seed {seed}: {System.Text.Encoding.UTF8.GetString(subject)} of {string.Join(' ', patterns)}");
            }
        }

        string Make(int most) => string.Join('.', Enumerable.Range(0, random.Next(1, most)).Select(_ => tokens[random.Next(tokens.Length)]));
    }

    [Fact]
    public void A_pattern_of_very_many_tokens_needs_no_stack()
    {
        var deep = string.Join('.', Enumerable.Repeat("*", 100_000));
        var subject = System.Text.Encoding.UTF8.GetBytes(deep.Replace('*', 'a'));

        var filter = new SubjectFilter([deep + ".a", .. Enumerable.Range(0, 20).Select(i => $"a.a.{i}.*"), deep]);

        Assert.True(filter.Matches(subject));
        Assert.False(filter.Matches(subject.AsSpan(0, subject.Length - 2)));
    }
}
