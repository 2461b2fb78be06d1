using System.Text;
using Postrider.Rpc;
using Postrider.Rpc.Soap;
using Postrider.Rpc.Soap.Server;
using Postrider.UnitTests.Xml;
using Postrider.Xml.Elements;

namespace Postrider.UnitTests.Rpc.Soap;

/// <summary>Good requests changed at random: each is read, or refused by our exceptions, in bounded memory; and the next good one is read.</summary>
public abstract class RandomEnvelopes(ITestOutputHelper output)
{
    // A million over the four classes, which run side by side.
    private const int Inputs = 250_000;

    private const int NextGoodEach = 1_000;

    private static readonly ChangedXml s_changed = new(
        [
            "&#x110000;", "xmlns:s='u'", "i:type='Correction'", "s:mustUnderstand='1'", "s:actor='x'", "<s:Header/>", "<s:Body/>", "<s:Body>", "</s:Body>", "</s:Envelope>", "<a:Action>b</a:Action>",
            "<x:Include href='cid:p'/>", "--b", "--b--", "\r\n--b\r\n", "\r\n\r\n",
        ],
        cutsOneOf: 4);

    private readonly SoapReader _reader = Reader();

    private protected abstract byte[][] Samples { get; }

    private protected static string Head(string space)
        => $"<s:Envelope xmlns:s=\"{space}\" xmlns:a=\"http://www.w3.org/2005/08/addressing\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:x=\"http://www.w3.org/2004/08/xop/include\" xmlns:d=\"urn:ledger:data\">";

    private protected static byte[] Envelope(string space, string headers, string body) => Encoding.UTF8.GetBytes($"{Head(space)}{headers}<s:Body>{body}</s:Body></s:Envelope>");

    private protected virtual void Read(SoapReader reader, byte[] bytes, int length) => reader.Read(bytes.AsSpan(0, length), null);

    [Fact]
    public void Changed_requests_neither_crash_nor_allocate_without_bound()
    {
        foreach (var sample in Samples)
            Read(_reader, sample, sample.Length);

        new RandomRun(output, Inputs) { MostBytesPerInputByte = 150, MostBytesBesides = 32 * 1024, EachOf = 200 }.Read((random, i) =>
        {
            var sample = Samples[random.Next(Samples.Length)];
            if (i % NextGoodEach == 0)
                Read(_reader, sample, sample.Length);
            var (bytes, length) = s_changed.Of(random, sample);
            return (length, () => TryRead(bytes, length));
        });
    }

    private static SoapReader Reader()
    {
        var codec = new RpcXmlCodec(LedgerXml.Default);
        return new SoapReader([.. LedgerContract.Serve(new Ledger()).Operations.Select(o => SoapHandler.Create(o, codec))], null, understandsSecurity: true);
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
