using System.Text;
using Postrider.Rpc;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Operations;
using Postrider.Rpc.Server.Soap;
using Postrider.Rpc.Soap;
using Postrider.Xml.Elements;

namespace Postrider.UnitTests.Rpc.Soap;

/// <summary>Good requests changed at random: each is read, or refused by our exceptions, in bounded memory; and the next good one is read.</summary>
public abstract class RandomEnvelopes(ITestOutputHelper output)
{
    // A million over the four classes, which run side by side; POSTRIDER_INPUTS asks for another number in each.
    private static readonly int Inputs = Environment.GetEnvironmentVariable("POSTRIDER_INPUTS") is { } asked ? int.Parse(asked) : 250_000;

    private const int NextGoodEach = 1_000;
    private const int MostBytesPerInputByte = 150;
    private const int MostBytesBesides = 32 * 1024;

    private static readonly byte[][] s_pieces =
    [
        .. new[]
        {
            "<", ">", "/", "&", "&amp;", "&#65;", "&#x110000;", "&x;", "\"", "'", "=", " ", "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE a>", "<?a ?>", "xmlns", "xmlns:s='u'", ":",
            "i:nil='true'", "i:type='Correction'", "s:mustUnderstand='1'", "s:actor='x'", "<s:Header/>", "<s:Body/>", "<s:Body>", "</s:Body>", "</s:Envelope>", "<a:Action>b</a:Action>",
            "<x:Include href='cid:p'/>", "\r\n", "<a>", "</a>", "<a/>", "\u00e4", "0", "-", "1e9", "--b", "--b--", "\r\n--b\r\n", "\r\n\r\n",
        }.Select(Encoding.UTF8.GetBytes),
        [0], [0xFF], [0xC3], [0xEF, 0xBB, 0xBF],
    ];

    private readonly SoapReader _reader = Reader();

    private protected abstract byte[][] Samples { get; }

    private protected static string Head(string space)
        => $"<s:Envelope xmlns:s=\"{space}\" xmlns:a=\"http://www.w3.org/2005/08/addressing\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:x=\"http://www.w3.org/2004/08/xop/include\" xmlns:d=\"urn:ledger:data\">";

    private protected static byte[] Envelope(string space, string headers, string body) => Encoding.UTF8.GetBytes($"{Head(space)}{headers}<s:Body>{body}</s:Body></s:Envelope>");

    private protected virtual void Read(SoapReader reader, byte[] bytes, int length) => reader.Read(bytes.AsSpan(0, length), null);

    [Fact]
    public void Changed_requests_neither_crash_nor_allocate_without_bound()
    {
        var seed = Environment.GetEnvironmentVariable("POSTRIDER_SEED") is { } given ? int.Parse(given) : Random.Shared.Next();
        output.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed);
        var (read, refused) = (0, 0);
        foreach (var sample in Samples)
            Read(_reader, sample, sample.Length);

        for (var i = 0; i < Inputs; i++)
        {
            var sample = Samples[random.Next(Samples.Length)];
            var (bytes, length) = Change(random, sample);
            var isGood = false;
            var bound = (length * MostBytesPerInputByte) + MostBytesBesides;

            var allocated = Allocations.OfOne(() => isGood = TryRead(bytes, length), bound);

            Assert.True(allocated <= bound, $"seed {seed}, input {i}: {allocated} bytes for {length}");
            if (isGood)
                read++;
            else
                refused++;
            if (i % NextGoodEach == 0)
                Read(_reader, sample, sample.Length);
        }

        output.WriteLine($"{read} read, {refused} refused");
        Assert.True(read > Inputs / 200 && refused > Inputs / 200, $"seed {seed}: {read} read, {refused} refused: the inputs say nothing");
    }

    private static SoapReader Reader()
    {
        var codec = new RpcXmlCodec(LedgerXml.Default);
        return new SoapReader([.. LedgerContract.Serve(new Ledger()).Operations.Select(o => SoapHandler.Of(o, codec))], null, understandsSecurity: true);
    }

    private static (byte[] Bytes, int Length) Change(Random random, byte[] sample)
    {
        var bytes = new byte[sample.Length + 64];
        sample.CopyTo(bytes, 0);
        var length = sample.Length;
        for (var changes = random.Next(1, 4); changes > 0; changes--)
        {
            var at = random.Next(length);
            switch (random.Next(5))
            {
                case 0:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 1 when random.Next(4) == 0:
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

    private bool TryRead(byte[] bytes, int length)
    {
        try
        {
            Read(_reader, bytes, length);
            return true;
        }
        catch (Exception refused) when (refused is XmlDataException or RpcException)
        {
            return false;
        }
    }

    private sealed class Ledger : ILedger
    {
        public int Add(int a, int b) => a + b;

        public Entry Post(Entry entry, CallContext context) => entry;

        public List<Entry> List(Guid owner) => [];
    }
}
