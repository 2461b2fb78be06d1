using System.Globalization;
using System.Text;

namespace Postrider.UnitTests.Xml.Elements;

/// <summary>The same objects in documents that differ in what does not matter: prefixes, where they are declared, order, spaces, comments.</summary>
public sealed class WrittenStylesTests(ITestOutputHelper output)
{
    private const string Space = "http://schemas.datacontract.org/2004/07/Postrider.UnitTests.Xml";
    private const string Instance = "http://www.w3.org/2001/XMLSchema-instance";

    [Fact]
    public void Objects_are_read_alike_however_their_document_is_written()
    {
        var seed = Seed.Next();
        output.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed);
        for (var i = 0; i < 5_000; i++)
        {
            var items = Enumerable.Range(0, random.Next(6)).Select(_ => new Plain
            {
                City = random.Next(4) == 0 ? null : Text(random),
                Number = random.Next(-5, 100_000),
                Zip = random.Next(4) == 0 ? null : Text(random),
            }).ToList();
            var document = Write(random, items);

            var read = Contracts.Default.Get<List<Plain>>().Deserialize(Encoding.UTF8.GetBytes(document));

            Assert.True(Shown(items) == Shown(read), $"seed {seed}, document {i}: {document}");
        }
    }

    [Theory]
    [InlineData("<a:City>x</a:City><a:City xmlns:a='urn:other'>no</a:City><a:Number>1</a:Number>")]
    [InlineData("<a:City>x</a:City><b xmlns:a='urn:other'><a:Number>2</a:Number></b><a:Number>1</a:Number>")]
    [InlineData("<a:City>x</a:City><a:Number xmlns:a='urn:other'>2</a:Number><a:Number>1</a:Number>")]
    [InlineData("<o:City xmlns:o='urn:other'>no</o:City><a:City>x</a:City><a:Number>1</a:Number>")]
    [InlineData("<City>no</City><a:City>x</a:City><Number>2</Number><a:Number>1</a:Number>")]
    [InlineData("<a:City >x</a:City\n><a:Number\t>1</a:Number >")]
    [InlineData("<a:City><![CDATA[x]]></a:City><a:Number>&#49;</a:Number>")]
    [InlineData("<a:Number>1</a:Number><a:City>x</a:City>")]
    [InlineData("<z:Number xmlns:z='" + Space + "'>1</z:Number><a:City>x</a:City>")]
    public void A_prefix_means_what_is_in_scope_where_it_stands(string members)
    {
        var document = $"<a:Plain xmlns:a='{Space}'>{members}</a:Plain>";

        var read = Contracts.Default.Get<Plain>().Deserialize(Encoding.UTF8.GetBytes(document));

        Assert.Equal(("x", 1), (read.City, read.Number));
    }

    private static string Write(Random random, List<Plain> items)
    {
        var output = new StringBuilder();
        var root = Prefix(random);
        output.Append(CultureInfo.InvariantCulture, $"<{root}ArrayOfPlain {Declare(root, Space)} xmlns:i='{Instance}'>");
        foreach (var item in items)
        {
            var (own, declared) = Inner(random, root);
            output.Append(Gap(random)).Append(CultureInfo.InvariantCulture, $"<{own}Plain{declared}>");
            (string Name, string? Value)[] members = [("City", item.City), ("Number", item.Number.ToString(CultureInfo.InvariantCulture)), ("Zip", item.Zip)];
            if (random.Next(3) == 0)
                random.Shuffle(members);
            foreach (var (name, value) in members)
            {
                if (value is null && random.Next(2) == 0)
                    continue;
                if (random.Next(5) == 0)
                    output.Append(CultureInfo.InvariantCulture, $"<{own}{name} {Declare(own, "urn:other")}>decoy<{own}{name}>1</{own}{name}></{own}{name}>");
                var (prefix, here) = Inner(random, own);
                output.Append(Gap(random)).Append(value is null
                    ? $"<{prefix}{name}{here} i:nil='true'/>"
                    : $"<{prefix}{name}{here}>{value}</{prefix}{name}{(random.Next(5) == 0 ? " " : "")}>");
            }

            output.Append(Gap(random)).Append(CultureInfo.InvariantCulture, $"</{own}Plain>");
        }

        return output.Append(Gap(random)).Append(CultureInfo.InvariantCulture, $"</{root}ArrayOfPlain>").ToString();
    }

    /// <summary>The prefix around it, or one of its own, which may be the same word again.</summary>
    private static (string Prefix, string Declared) Inner(Random random, string outer)
    {
        if (random.Next(3) > 0)
            return (outer, random.Next(8) == 0 ? " y='1'" : "");
        var prefix = Prefix(random);
        return (prefix, " " + Declare(prefix, Space));
    }

    private static string Prefix(Random random) => random.Next(4) switch { 0 => "", 1 => "a:", 2 => "b:", _ => "long-prefix:" };

    private static string Declare(string prefix, string space) => prefix.Length == 0 ? $"xmlns='{space}'" : $"xmlns:{prefix[..^1]}='{space}'";

    private static string Gap(Random random) => random.Next(6) switch { 0 => "\n  ", 1 => "<!-- c -->", 2 => " <!-- < --> ", _ => "" };

    private static string Text(Random random) => random.Next(4) switch { 0 => "", 1 => "plain", 2 => "gr\u00fc\u00df \u20ac", _ => new string('x', random.Next(100)) };

    private static string Shown(List<Plain> items) => string.Join(';', items.Select(p => $"{p.City ?? "null"},{p.Number},{p.Zip ?? "null"}"));
}
