using System.Globalization;
using System.Text;
using Postrider.Broker.Subjects;

namespace Postrider.UnitTests.Broker.Subjects;

public sealed class SubjectTransformTests
{
    private static readonly string[] Functions =
        ["wildcard", "partition", "splitfromleft", "splitfromright", "slicefromleft", "slicefromright", "split", "left", "right", "random", "Wildcard", "none", ""];

    private static readonly string[] Arguments =
        ["", "0", "1", "2", "3", "-1", "-5", "-2147483648", "2147483647", "2147483648", "9223372036854775807", "99999999999999999999", " 1 ", "+1", "1e3", "x", "*", ">", "$1", "-", " ", "\u00e9", "\ud83d\ude00"];

    [Fact]
    public void Whatever_is_taken_as_a_transform_transforms_every_subject()
    {
        var seed = Seed.Next();
        var random = new Random(seed);
        string[] sources = ["*.*", "a.*", ">", "a.>", "*.*.>", "a.b", "*"];
        string[] subjects = ["a.b", "a.1", "a.\u00e9\ud83d\ude00", $"a.{new string('x', 70_000)}", "a.b.c.d", "a", "-.-", "a.--x--"];
        var taken = 0;
        for (var round = 0; round < 20_000; round++)
        {
            var source = sources[random.Next(sources.Length)];
            var destination = string.Join('.', Enumerable.Range(0, random.Next(1, 4)).Select(_ => RandomToken(random))) + (source.EndsWith('>') ? ".>" : "");
            if (!SubjectTransform.TryCreate(source, destination, out var transform, out var problem))
            {
                Assert.NotEmpty(problem);
                continue;
            }
            taken++;
            foreach (var subject in subjects)
            {
                var thrown = Record.Exception(() => transform.Apply(Encoding.UTF8.GetBytes(subject)));
                Assert.True(thrown is null, string.Create(CultureInfo.InvariantCulture, $"seed {seed}: {source} to {destination} of {subject[..Math.Min(subject.Length, 20)]}: {thrown}"));
            }
        }
        Assert.True(taken > 1_000, $"{taken} transforms");
    }

    [Theory]
    [InlineData("x.$-1", "x.a")]
    [InlineData("x.$0", "x.a")]
    [InlineData("x.{{wildcard(-9223372036854775808)}}", "x.a")]
    [InlineData("x.{{slicefromright(-5,3)}}", "x.a")]
    [InlineData("x.{{split(1, )}}", "x.w.o.r.d")]
    [InlineData("x.$99999999999999999999", "x.$99999999999999999999")]
    [InlineData("x.{{random(-5)}}", "x.0")]
    [InlineData("x.{{random(1)}}", "x.0")]
    [InlineData("x.{{partition(0,1)}}", "x.0")]
    [InlineData("x.{{left(1,-1)}}", "x.word")]
    [InlineData("x.{{right(1,0)}}", "x.word")]
    [InlineData("x.{{slicefromleft(1,2147483647)}}", "x.word")]
    [InlineData("x.{{slicefromright(1,-2147483648)}}", "x.word")]
    [InlineData("x.{{splitfromleft(1,-5)}}", "x.word")]
    public void Numbers_out_of_range_change_nothing(string destination, string expected)
    {
        Assert.True(SubjectTransform.TryCreate("a.*", destination, out var transform, out _));

        Assert.Equal(expected, Encoding.UTF8.GetString(transform.Apply("a.word"u8)!));
    }

    [Theory]
    [InlineData("n.$1", "6D.FFFE", "6E.FFFE")]
    [InlineData("n.{{wildcard(1)}}", "6D.C3A9", "6E.C3A9")]
    [InlineData("\u00e9.$1", "6D.FF", "C3A9.FF")]
    [InlineData("n.{{left(1,1)}}", "6D.C3A9", "6E.C3")]
    [InlineData("n.{{slicefromleft(1,2)}}", "6D.C3A9C3", "6E.C3A9.C3")]
    [InlineData("n.{{split(1,\u00e9)}}", "6D.FFC3A9FE", "6E.FF.FE")]
    [InlineData("n.{{split(1,)}}", "6D.C3A9FF61E282", "6E.C3A9.FF.61.E2.82")]
    public void Subject_is_transformed_byte_by_byte(string destination, string subject, string expected)
    {
        Assert.True(SubjectTransform.TryCreate("m.*", destination, out var transform, out _));

        Assert.Equal(Bytes(expected), transform.Apply(Bytes(subject)));

        static byte[] Bytes(string tokens) => [.. string.Join("2E", tokens.Split('.')).Chunk(2).Select(static pair => Convert.ToByte(new string(pair), 16))];
    }

    [Fact]
    public void Partition_is_that_of_the_bytes()
    {
        Assert.True(SubjectTransform.TryCreate("m.*", "n.{{partition(1000000,1)}}", out var transform, out _));

        var hash = 2166136261;
        foreach (var value in (byte[])[0xFF, 0xFE]) hash = unchecked((hash ^ value) * 16777619);
        Assert.Equal($"n.{hash % 1000000}", Encoding.ASCII.GetString(transform.Apply([(byte)'m', (byte)'.', 0xFF, 0xFE])!));
    }

    // What nats-server 2.15.1 says.
    [Theory]
    [InlineData("x.$2147483648", "invalid mapping destination: wildcard index out of range in $2147483648: [2147483648]")]
    [InlineData("x.$9223372036854775807", "invalid mapping destination: wildcard index out of range in $9223372036854775807: [9223372036854775807]")]
    [InlineData("x.$ 1 ", "invalid mapping destination: invalid transform")]
    [InlineData("$2147483648. ", "invalid mapping destination: invalid transform")]
    public void What_cannot_be_a_template_is_refused(string destination, string problem)
    {
        Assert.False(SubjectTransform.TryCreate("a.*", destination, out _, out var found));

        Assert.Equal(problem, found);
    }

    private static string RandomToken(Random random)
        => random.Next(6) switch
        {
            0 => Arguments[random.Next(Arguments.Length)],
            1 => "$" + Arguments[random.Next(Arguments.Length)],
            _ => "{{" + Functions[random.Next(Functions.Length)] + "(" + string.Join(',', Enumerable.Range(0, random.Next(4)).Select(_ => Arguments[random.Next(Arguments.Length)])) + ")}}",
        };
}
