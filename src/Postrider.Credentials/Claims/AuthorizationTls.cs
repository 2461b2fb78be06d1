using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The TLS session of a connection that an authorization callout decides about.</summary>
public sealed record AuthorizationTls
{
    /// <summary>The version, such as <c>1.3</c>.</summary>
    public string? Version { get; init; }

    /// <summary>The cipher suite's registered name.</summary>
    public string? CipherSuite { get; init; }

    /// <summary>The client's certificates as PEM, if they were not verified.</summary>
    public IReadOnlyList<string> Certificates { get; init; } = [];

    /// <summary>The verified chains, each of certificates as PEM.</summary>
    public IReadOnlyList<IReadOnlyList<string>> VerifiedChains { get; init; } = [];

    internal static AuthorizationTls Read(ClaimsReader reader)
    {
        var found = reader;
        return new()
        {
            Version = reader.Text("version"),
            CipherSuite = reader.Text("cipher"),
            Certificates = reader.Texts("certs"),
            VerifiedChains = reader.Any("verified_chains", (chain, _) => ReadChain(found, chain)),
        };
    }

    internal void Write(Utf8JsonWriter writer)
    {
        writer.WriteStartObject("client_tls");
        writer.Text("version", Version);
        writer.Text("cipher", CipherSuite);
        writer.Texts("certs", Certificates);
        if (VerifiedChains.Count > 0)
        {
            writer.WriteStartArray("verified_chains");
            foreach (var chain in VerifiedChains)
            {
                writer.WriteStartArray();
                foreach (var certificate in chain) writer.WriteStringValue(certificate);
                writer.WriteEndArray();
            }
            writer.WriteEndArray();
        }
        writer.WriteEndObject();
    }

    private static IReadOnlyList<string> ReadChain(ClaimsReader reader, JsonElement chain)
    {
        if (chain.ValueKind != JsonValueKind.Array || chain.EnumerateArray().Any(static one => one.ValueKind != JsonValueKind.String)) throw reader.Wrong("verified_chains", "lists of texts");
        return [.. chain.EnumerateArray().Select(static one => one.GetString()!)];
    }
}
