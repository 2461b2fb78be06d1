using System.Buffers;
using System.Buffers.Text;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Org.BouncyCastle.Crypto.Digests;
using Postrider.Credentials.Nkeys;

namespace Postrider.Credentials.Claims;

/// <summary>Writes tokens byte for byte as nats-io/jwt does: the order of members, omitted members, and escapes.</summary>
internal static class TokenEncoder
{
    private const int HashBits = 256;
    private const int FormatVersion = 2;

    private static readonly JsonWriterOptions Options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private static ReadOnlySpan<byte> Header => """{"typ":"JWT","alg":"ed25519-nkey"}"""u8;

    /// <summary>Signs claims.</summary>
    public static string Encode(JwtClaims claims, NkeyPair issuer, DateTimeOffset now)
    {
        if (!PublicNkey.IsValid(claims.Subject, claims.SubjectKind))
            throw new CredentialsException(CredentialsErrorCode.InvalidClaims, $"The subject of {ClaimsTypes.NameOf(claims.Type)} claims must be {NkeyText.Describe(claims.SubjectKind)} key, got '{claims.Subject}'.");
        if (!claims.IssuerKinds.Contains(issuer.Kind)) ThrowWrongIssuer(claims, issuer.Kind);
        var issued = claims with { Issuer = issuer.PublicKey, IssuedAt = now, Id = null };
        issued = issued with { Id = ComputeId(issued) };
        var signed = $"{Base64Url.EncodeToString(Header)}.{Base64Url.EncodeToString(Render(issued, withDetails: true))}";
        var token = $"{signed}.{Base64Url.EncodeToString(issuer.Sign(Encoding.ASCII.GetBytes(signed)))}";
        return token.Length <= NatsJwt.MaxTokenLength
            ? token
            : throw new CredentialsException(CredentialsErrorCode.TokenTooLarge, $"The token of {claims.Describe()} has {token.Length} characters, more than {NatsJwt.MaxTokenLength}.");
    }

    public static void ThrowWrongIssuer(JwtClaims claims, NkeyKind issuer)
        => throw new CredentialsException(CredentialsErrorCode.WrongIssuer, $"The token of {claims.Describe()} is signed by {NkeyText.Describe(issuer)} key; {ClaimsTypes.NameOf(claims.Type)} claims are signed by {string.Join(" or ", claims.IssuerKinds.ToArray().Select(NkeyText.Describe))} key.");

    /// <summary>The id of a token with such general claims.</summary>
    public static string ComputeId(JwtClaims claims) => Hash(Render(claims with { Id = null }, withDetails: false));

    /// <summary>The claims as JSON.</summary>
    public static byte[] Render(JwtClaims claims, bool withDetails)
    {
        var buffer = new ArrayBufferWriter<byte>(1024);
        using (var writer = new Utf8JsonWriter(buffer, Options))
        {
            writer.WriteStartObject();
            writer.Text("aud", claims.Audience);
            writer.Time("exp", claims.Expires);
            writer.Text("jti", claims.Id);
            writer.Time("iat", claims.IssuedAt);
            writer.Text("iss", claims.Issuer);
            writer.Text("name", claims.Name);
            writer.Time("nbf", claims.NotBefore);
            writer.Text("sub", claims.Subject);
            if (withDetails)
            {
                writer.WriteStartObject("nats");
                claims.WriteDetails(writer);
                writer.Texts("tags", claims.Tags);
                writer.Text("type", ClaimsTypes.NameOf(claims.Type));
                writer.WriteNumber("version", FormatVersion);
                writer.WriteEndObject();
            }
            writer.WriteEndObject();
        }
        return EscapeHtml(buffer.WrittenSpan);
    }

    // Go escapes these three, which can only occur in strings.
    private static byte[] EscapeHtml(ReadOnlySpan<byte> json)
    {
        if (json.IndexOfAny("<>&"u8) < 0) return json.ToArray();
        var escaped = new ArrayBufferWriter<byte>(json.Length + 64);
        foreach (var value in json)
        {
            if (value is (byte)'<') escaped.Write("\\u003c"u8);
            else if (value is (byte)'>') escaped.Write("\\u003e"u8);
            else if (value is (byte)'&') escaped.Write("\\u0026"u8);
            else escaped.Write([value]);
        }
        return escaped.WrittenSpan.ToArray();
    }

    private static string Hash(byte[] json)
    {
        var digest = new Sha512tDigest(HashBits);
        digest.BlockUpdate(json, 0, json.Length);
        var hash = new byte[HashBits / 8];
        digest.DoFinal(hash, 0);
        return Base32.Encode(hash);
    }
}
