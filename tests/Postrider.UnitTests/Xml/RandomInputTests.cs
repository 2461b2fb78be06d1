using System.Text;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.UnitTests.Xml;

/// <summary>Good documents changed at random: each is read, or refused by our exception, in bounded memory.</summary>
public sealed class RandomInputTests(ITestOutputHelper output)
{
    // A few seconds' worth; POSTRIDER_INPUTS asks for more.
    private static readonly int Inputs = Environment.GetEnvironmentVariable("POSTRIDER_INPUTS") is { } asked ? int.Parse(asked) : 250_000;

    private const int MostBytesPerInputByte = 100;
    private const int MostBytesBesides = 16 * 1024;

    private static readonly byte[][] s_pieces =
    [
        .. new[] { "<", ">", "/", "&", "&amp;", "&#65;", "&x;", "\"", "'", "=", " ", "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE a>", "<?a ?>", "xmlns", "xmlns:a='u'", ":", "i:nil='true'", "i:type='Circle'", "\r\n", "<a>", "</a>", "<a/>", "\u00e4", "0", "-", "1e9" }
            .Select(Encoding.UTF8.GetBytes),
        [0], [0xFF], [0xC3], [0xEF, 0xBB, 0xBF],
    ];

    [Fact]
    public void Changed_documents_neither_crash_nor_allocate_without_bound()
    {
        var seed = Environment.GetEnvironmentVariable("POSTRIDER_SEED") is { } given ? int.Parse(given) : Random.Shared.Next();
        output.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed);
        (byte[] Document, Action<byte[], int> Read)[] samples =
        [
            Sample(new Plain { City = "a&b", Number = 1, Zip = "z" }),
            Sample<Shape>(new Circle { Name = "c", Radius = 2 }),
            Sample(new Renamed { A = "a", Needed = 2 }),
            Sample(new Dictionary<string, int> { ["a"] = 1 }),
            Sample(new List<List<string>> { new() { "a", "b" } }),
            Sample(Rights.Read | Rights.Far),
        ];
        var (read, refused) = (0, 0);

        for (var i = 0; i < Inputs; i++)
        {
            var (document, reader) = samples[random.Next(samples.Length)];
            var (bytes, length) = Change(random, document);
            var good = false;
            var bound = (length * MostBytesPerInputByte) + MostBytesBesides;

            var allocated = Allocations.OfOne(() => good = TryRead(reader, bytes, length), bound);

            Assert.True(allocated <= bound, $"seed {seed}, input {i}: {allocated} bytes for {length}");
            if (good)
                read++;
            else
                refused++;
        }

        output.WriteLine($"{read} read, {refused} refused");
        Assert.True(read > Inputs / 100 && refused > Inputs / 100, $"seed {seed}: {read} read, {refused} refused: the inputs say nothing");
    }

    private static bool TryRead(Action<byte[], int> reader, byte[] bytes, int length)
    {
        try
        {
            reader(bytes, length);
            return true;
        }
        catch (XmlDataException)
        {
            return false;
        }
    }

    private static (byte[] Document, Action<byte[], int> Read) Sample<T>(T value)
    {
        var type = Contracts.Default.Get<T>();
        return (type.Serialize(value), (bytes, length) => type.Deserialize(bytes.AsSpan(0, length)));
    }

    private static (byte[] Bytes, int Length) Change(Random random, byte[] document)
    {
        var bytes = new byte[document.Length + 64];
        document.CopyTo(bytes, 0);
        var length = document.Length;
        for (var changes = random.Next(1, 4); changes > 0; changes--)
        {
            var at = random.Next(length);
            switch (random.Next(5))
            {
                case 0:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 1:
                    length = Math.Max(1, at);
                    break;
                case 2:
                    var gone = Math.Min(random.Next(1, 12), length - at);
                    bytes.AsSpan(at + gone, length - at - gone).CopyTo(bytes.AsSpan(at));
                    length = Math.Max(1, length - gone);
                    break;
                default:
                    var piece = s_pieces[random.Next(s_pieces.Length)];
                    if (length + piece.Length > bytes.Length)
                        break;
                    bytes.AsSpan(at, length - at).CopyTo(bytes.AsSpan(at + piece.Length));
                    piece.CopyTo(bytes, at);
                    length += piece.Length;
                    break;
            }
        }

        return (bytes, length);
    }
}
