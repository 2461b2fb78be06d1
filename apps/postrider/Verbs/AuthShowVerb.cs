using System.Buffers.Text;
using System.CommandLine;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Postrider.CommandLine.Authority;
using Postrider.Credentials;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider auth show</c>.</summary>
internal static class AuthShowVerb
{
    internal static Command Create()
    {
        var token = new Argument<string>("file") { Description = "A file with a token, a credentials file, or the token itself" };
        var json = new Option<bool>("--json") { Description = "Write the claims as JSON" };
        return LocalVerb.Create("show", """
            Verify a token's signature and show its claims, even if it has expired. Seeds are not shown.
              postrider auth show clerk.creds
            """, Run, token, json);

        void Run(ParseResult result)
        {
            var text = ReadToken(result.GetValue(token)!);
            var claims = NatsJwt.DecodeAnyTime(text);
            Console.WriteLine(result.GetValue(json) ? Indented(text) : ClaimsText.Describe(claims));
        }
    }

    private static string ReadToken(string given)
    {
        if (!File.Exists(given)) return given.Contains('.', StringComparison.Ordinal) && given.StartsWith("ey", StringComparison.Ordinal) ? given : throw new AuthorityException($"There is no file '{given}', and it is not a token.");
        if (new FileInfo(given).Length > CredentialsFile.MaxBytes) throw new AuthorityException($"{given} is larger than {CredentialsFile.MaxBytes} bytes.");
        return File.ReadLines(given).Select(static line => line.Trim()).FirstOrDefault(static line => line.StartsWith("ey", StringComparison.Ordinal))
            ?? throw new AuthorityException($"There is no token in {given}.");
    }

    private static string Indented(string token)
    {
        using var claims = JsonDocument.Parse(Base64Url.DecodeFromChars(token.Split('.')[1]));
        using var buffer = new MemoryStream();
        using (var writer = new Utf8JsonWriter(buffer, new JsonWriterOptions { Indented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping })) claims.WriteTo(writer);
        return Encoding.UTF8.GetString(buffer.ToArray());
    }
}
