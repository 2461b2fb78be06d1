using System.Text;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Soap;

/// <summary>What curl can send that is no envelope of ours: each body is answered by a fault that says what is wrong, or by what was asked.</summary>
public sealed class CurlTests(StoreServer server) : IClassFixture<StoreServer>
{
    private const string Utf8 = "text/xml; charset=utf-8";

    // Every fault begins so; the text says the rest.
    private const string Sender = "<faultcode>s:Client</faultcode>";

    public static TheoryData<string, string, string, int, string> Bodies => new()
    {
        { "utf-8", Utf8, "gr\u00fc\u00df", 200, "gr\u00fc\u00df" },
        { "utf-8 with a mark", Utf8, "gr\u00fc\u00df", 200, "gr\u00fc\u00df" },
        { "utf-8", "text/xml", "gr\u00fc\u00df", 200, "gr\u00fc\u00df" },
        { "utf-8", "text/xml; charset=\"UTF-8\"", "gr\u00fc\u00df", 200, "gr\u00fc\u00df" },
        { "utf-8", "text/xml; charset=iso-8859-1", "gruss", 200, "gruss" },
        { "utf-16", "text/xml; charset=utf-16", "gr\u00fc\u00df", 200, "gr\u00fc\u00df" },
        { "utf-16be", "text/xml; charset=utf-16be", "gr\u00fc\u00df", 200, "gr\u00fc\u00df" },
        { "utf-8", "text/xml; charset=utf-16", "gr\u00fc\u00df", 500, "UTF-16" },
        { "utf-16", Utf8, "gruss", 500, "The document is in UTF-16" },
        { "utf-16 with a mark", Utf8, "gruss", 500, "The document is in UTF-16; only UTF-8 is supported." },
        { "utf-16 with a mark", "text/xml; charset=utf-16", "gr\u00fc\u00df", 200, "gr\u00fc\u00df" },
        { "utf-16be", Utf8, "gruss", 500, "The document is in UTF-16" },
        { "utf-16be with a mark", Utf8, "gruss", 500, "The document is in UTF-16; only UTF-8 is supported." },
        { "utf-32", "text/xml; charset=utf-32", "gruss", 500, "only UTF-8 is supported" },
        { "iso-8859-1", Utf8, "gr\u00fc\u00df", 500, "0xFC, is not UTF-8, the only supported encoding." },
        { "iso-8859-1", "text/xml; charset=iso-8859-1", "gr\u00fc\u00df", 500, "Unsupported charset 'iso-8859-1'. Supported: utf-8, utf-16." },
        { "utf-8", "text/xml; charset=iso-8859-1", "gr\u00fc\u00df", 500, "Unsupported charset 'iso-8859-1'. Supported: utf-8, utf-16." },
        { "utf-8", "text/xml; charset=nonsense", "gruss", 200, "gruss" },
    };

    [Theory]
    [MemberData(nameof(Bodies))]
    public async Task Encoding_of_a_body_is_read_or_told_to_be_none_that_is(string encoding, string type, string word, int status, string holds)
    {
        var envelope = $"<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><Reverse xmlns=\"urn:postrider:store\"><items xmlns:a=\"http://schemas.microsoft.com/2003/10/Serialization/Arrays\"><a:string>{word}</a:string></items></Reverse></s:Body></s:Envelope>";
        var isMarked = encoding.EndsWith(" with a mark", StringComparison.Ordinal);
        var form = Encoding.GetEncoding(encoding.Replace(" with a mark", "", StringComparison.Ordinal));
        byte[] body = [.. isMarked ? form.GetPreamble() : [], .. form.GetBytes(envelope)];

        var (answered, text) = await PostAsync(body, type);

        Assert.True(status == answered, text);
        Assert.Contains(holds, text, StringComparison.Ordinal);
        if (status == 500)
            Assert.Contains(Sender, text, StringComparison.Ordinal);
    }

    private async Task<(int Status, string Text)> PostAsync(byte[] body, string type)
    {
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllBytesAsync(file, body);
            var printed = await ForeignProgram.RunAsync(
                "curl", "-s", "--max-time", "60", "-w", "\n%{http_code}", "-H", $"content-type: {type}", "-H", "soapaction: \"\"", "--data-binary", "@" + file, server.Address);
            var end = printed.TrimEnd().LastIndexOf('\n');
            return (int.Parse(printed.AsSpan(end + 1).Trim()), printed[..end]);
        }
        finally
        {
            File.Delete(file);
        }
    }
}
