using System.Text;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Broker.Subjects;

public sealed class SubjectOverlapsTests
{
    private static readonly string[] Tokens = ["a", "b", "c", "*", ">", ""];

    [Fact]
    public void It_finds_what_comparing_each_with_each_finds()
    {
        var seed = Seed.Next();
        var random = new Random(seed);
        for (var round = 0; round < 3_000; round++)
        {
            var subjects = Enumerable.Range(0, random.Next(1, 7)).Select(_ => RandomSubject(random)).ToArray();
            var overlaps = new SubjectOverlaps(subjects);
            var asked = RandomSubject(random);
            var text = $"seed {seed}: {string.Join(' ', subjects)} asked {asked}";

            Assert.True(subjects.Any(subject => Collide(subject, asked)) == overlaps.Collides(asked), text);
            for (var i = 0; i < subjects.Length; i++)
            {
                var others = subjects.Where((_, j) => j != i).ToArray();
                Assert.True(others.Any(other => Collide(other, subjects[i])) == overlaps.CollidesWithOther(subjects[i]), $"{text}: {i}");
                Assert.True(others.Any(other => Matches(subjects[i], other)) == overlaps.IsCoveredByOther(subjects[i]), $"{text}: {i} is covered");
            }
            Assert.False(overlaps.IsTooCostly);
        }
    }

    [Fact]
    public void A_subject_of_very_many_tokens_needs_no_stack()
    {
        var deep = string.Join('.', Enumerable.Repeat("a", 200_000));

        var overlaps = new SubjectOverlaps([deep, deep + ".b"]);

        Assert.False(overlaps.CollidesWithOther(deep));
        Assert.True(overlaps.Collides(deep[..^1] + "*"));
    }

    [Fact]
    public void Very_many_subjects_are_compared_in_few_steps()
    {
        var subjects = Enumerable.Range(0, 80_000).Select(static i => i % 4 == 0 ? $"a.{i}.*" : $"a.{i}.b.>").ToArray();

        var overlaps = new SubjectOverlaps(subjects);

        Assert.DoesNotContain(subjects, overlaps.CollidesWithOther);
        Assert.False(overlaps.IsTooCostly);
    }

    [Fact]
    public void Wildcards_that_cost_too_much_count_as_overlapping()
    {
        var literals = Enumerable.Range(0, 10_000).Select(static i => $"a{i}.b.c{i}");
        var wildcards = Enumerable.Range(0, 10_000).Select(static i => $"*.b.d{i}").ToArray();

        var overlaps = new SubjectOverlaps([.. literals, .. wildcards]);

        Assert.Contains(wildcards, overlaps.CollidesWithOther);
        Assert.True(overlaps.IsTooCostly);
    }

    private static string RandomSubject(Random random)
        => string.Join('.', Enumerable.Range(0, random.Next(1, 5)).Select(_ => Tokens[random.Next(Tokens.Length - (random.Next(8) == 0 ? 0 : 1))]));

    private static bool Collide(string first, string second) => Subject.Collide(Encoding.UTF8.GetBytes(first), Encoding.UTF8.GetBytes(second));

    private static bool Matches(string subject, string pattern) => Subject.Matches(Encoding.UTF8.GetBytes(subject), Encoding.UTF8.GetBytes(pattern));
}
