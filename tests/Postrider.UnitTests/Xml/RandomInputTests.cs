using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.UnitTests.Xml;

/// <summary>Good documents changed at random: each is read, or refused by our exception, in bounded memory. A few seconds' worth.</summary>
public sealed class RandomInputTests(ITestOutputHelper output)
{
    private static readonly ChangedXml s_changed = new(["xmlns:a='u'", "i:type='Circle'"]);

    [Fact]
    public void Changed_documents_neither_crash_nor_allocate_without_bound()
    {
        (byte[] Document, Action<byte[], int> Read)[] samples =
        [
            Sample(new Plain { City = "a&b", Number = 1, Zip = "z" }),
            Sample<Shape>(new Circle { Name = "c", Radius = 2 }),
            Sample(new Renamed { A = "a", Needed = 2 }),
            Sample(new Dictionary<string, int> { ["a"] = 1 }),
            Sample(new List<List<string>> { new() { "a", "b" } }),
            Sample(Rights.Read | Rights.Far),
        ];

        new RandomRun(output, 250_000) { MostBytesPerInputByte = 100, MostBytesBesides = 16 * 1024 }.Read((random, _) =>
        {
            var (document, reader) = samples[random.Next(samples.Length)];
            var (bytes, length) = s_changed.Of(random, document);
            return (length, () => TryRead(reader, bytes, length));
        });
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
}
