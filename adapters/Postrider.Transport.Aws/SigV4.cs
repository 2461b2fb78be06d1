using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Amazon.Runtime;

namespace Postrider.Transport.Aws;

/// <summary>Signs requests by AWS Signature Version 4.</summary>
/// <remarks>Source: AWS General Reference, "Create a signed AWS API request"; checked with the vectors of AWS's test suite.</remarks>
internal static class SigV4
{
    private const string Algorithm = "AWS4-HMAC-SHA256";

    /// <summary>The time in the format of requests.</summary>
    internal static string Format(DateTimeOffset time) => time.UtcDateTime.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture);

    /// <summary>Computes the header Authorization.</summary>
    /// <param name="method">The method in upper case.</param>
    /// <param name="address">The address; its path must be normalized.</param>
    /// <param name="headers">All headers that are signed, with <c>host</c>, <c>x-amz-date</c> and, for temporary credentials,
    /// <c>x-amz-security-token</c>.</param>
    /// <param name="body">The body.</param>
    /// <param name="scope">The region and the service.</param>
    /// <param name="credentials">The credentials.</param>
    /// <param name="time">The time of <c>x-amz-date</c>.</param>
    internal static string Authorization(
        string method, Uri address, IEnumerable<(string Name, string Value)> headers, ReadOnlySpan<byte> body, (string Region, string Service) scope, ImmutableCredentials credentials, DateTimeOffset time)
    {
        var sorted = headers.Select(static header => (Name: header.Name.ToLowerInvariant(), Value: Trim(header.Value)))
            .GroupBy(static header => header.Name, static header => header.Value, StringComparer.Ordinal)
            .OrderBy(static header => header.Key, StringComparer.Ordinal)
            .ToArray();
        var signed = string.Join(';', sorted.Select(static header => header.Key));
        var canonical = new StringBuilder()
            .Append(method).Append('\n')
            .Append(address.AbsolutePath).Append('\n')
            .Append(Query(address)).Append('\n');
        foreach (var header in sorted)
            canonical.Append(header.Key).Append(':').AppendJoin(',', header).Append('\n');
        canonical.Append('\n').Append(signed).Append('\n').Append(Hex(SHA256.HashData(body)));

        var date = time.UtcDateTime.ToString("yyyyMMdd", CultureInfo.InvariantCulture);
        var place = $"{date}/{scope.Region}/{scope.Service}/aws4_request";
        var text = $"{Algorithm}\n{Format(time)}\n{place}\n{Hex(SHA256.HashData(Encoding.UTF8.GetBytes(canonical.ToString())))}";
        var key = Encoding.UTF8.GetBytes("AWS4" + credentials.SecretKey);
        foreach (var part in (ReadOnlySpan<string>)[date, scope.Region, scope.Service, "aws4_request"])
            key = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(part));
        return $"{Algorithm} Credential={credentials.AccessKey}/{place}, SignedHeaders={signed}, Signature={Hex(HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(text)))}";
    }

    // Sorted by name, then by value, as they are encoded.
    private static string Query(Uri address)
        => address.Query.Length <= 1
            ? ""
            : string.Join('&', address.Query[1..].Split('&').Select(static pair => pair.Contains('=', StringComparison.Ordinal) ? pair : pair + "=").Order(StringComparer.Ordinal));

    // Runs of spaces count as one.
    private static string Trim(string value) => string.Join(' ', value.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    private static string Hex(byte[] bytes) => Convert.ToHexStringLower(bytes);
}
