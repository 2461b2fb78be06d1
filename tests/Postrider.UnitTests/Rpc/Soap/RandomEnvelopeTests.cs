using System.Text;
using Postrider.Rpc.Soap;
using Postrider.Rpc.Soap.Server;

namespace Postrider.UnitTests.Rpc.Soap;

public sealed class RandomEnvelope11Tests(ITestOutputHelper output) : RandomEnvelopes(output)
{
    private protected override byte[][] Samples { get; } =
    [
        Envelope(SoapNames.Envelope11, "", "<Add xmlns=\"urn:ledger\"><a>1</a><b>2</b></Add>"),
        Envelope(SoapNames.Envelope11, "", "<Post xmlns=\"urn:ledger\"><entry><d:Amount>1.5</d:Amount><d:Text>a &amp; b</d:Text></entry></Post>"),
    ];
}

public sealed class RandomEnvelope12Tests(ITestOutputHelper output) : RandomEnvelopes(output)
{
    private protected override byte[][] Samples { get; } =
    [
        Envelope(SoapNames.Envelope12, "", "<Post xmlns=\"urn:ledger\"><entry i:type=\"d:Correction\"><d:Of>x</d:Of><d:Parts><d:Entry><d:Text>t</d:Text></d:Entry></d:Parts></entry></Post>"),
        Envelope(SoapNames.Envelope12, "", "<guid xmlns=\"http://schemas.microsoft.com/2003/10/Serialization/\">00112233-4455-6677-8899-aabbccddeeff</guid>"),
    ];
}

public sealed class RandomHeaderTests(ITestOutputHelper output) : RandomEnvelopes(output)
{
    private const string Body = "<Add xmlns=\"urn:ledger\"><a>1</a><b>2</b></Add>";

    private protected override byte[][] Samples { get; } =
    [
        Envelope(SoapNames.Envelope12, "<s:Header><a:Action s:mustUnderstand=\"1\">urn:ledger/Ledger/Add</a:Action><a:MessageID>urn:1</a:MessageID><a:ReplyTo><a:Address>http://www.w3.org/2005/08/addressing/anonymous</a:Address></a:ReplyTo></s:Header>", Body),
        Envelope(SoapNames.Envelope11, $"<s:Header><t xmlns=\"urn:ledger\">north</t><o:Security xmlns:o=\"{SoapFaultException.Security}\"><o:UsernameToken><o:Username>a</o:Username><o:Password>b</o:Password></o:UsernameToken></o:Security></s:Header>", Body),
    ];
}

public sealed class RandomPackageTests(ITestOutputHelper output) : RandomEnvelopes(output)
{
    private protected override byte[][] Samples { get; } =
    [
        Package("<Post xmlns=\"urn:ledger\"><entry><d:Receipt><x:Include href=\"cid:p\"/></d:Receipt></entry></Post>"),
        Package("<Add xmlns=\"urn:ledger\"><a>1</a></Add>"),
    ];

    private protected override void Read(SoapReader reader, byte[] bytes, int length)
    {
        var envelope = MtomPackage.Read(bytes.AsMemory(0, length), "b", null, out var attachments);
        reader.Read(envelope.Span, null, null, attachments);
    }

    private static byte[] Package(string body)
        => [.. "--b\r\nContent-ID: <e>\r\n\r\n"u8, .. Envelope(SoapNames.Envelope11, "", body), .. Encoding.ASCII.GetBytes("\r\n--b\r\nContent-ID: <p>\r\nContent-Transfer-Encoding: binary\r\n\r\nbytes\r\n--b--\r\n")];
}
