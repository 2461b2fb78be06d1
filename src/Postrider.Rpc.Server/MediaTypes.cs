using Microsoft.Net.Http.Headers;

namespace Postrider.Rpc.Server;

/// <summary>Parses the headers <c>Content-Type</c> and <c>Accept</c>.</summary>
internal static class MediaTypes
{
    /// <summary>A media type without its parameters.</summary>
    public static ReadOnlySpan<char> WithoutParameters(ReadOnlySpan<char> type)
        => type.IndexOf(';') is >= 0 and var end ? type[..end].Trim() : type.Trim();

    /// <summary>The binding that an <c>Accept</c> header prefers, the request's binding for a wildcard; null if it accepts none.</summary>
    /// <param name="accept">The header's values. Without a readable media range they accept everything (RFC 9110, section 12.5.1).</param>
    /// <param name="requestBinding">The binding of the request.</param>
    /// <param name="bindings">All bindings, the preferred first.</param>
    public static T? Choose<T>(IList<string> accept, T requestBinding, IReadOnlyList<T> bindings)
        where T : class, IResponseFormat
    {
        if (!MediaTypeHeaderValue.TryParseList(accept, out var ranges) || ranges.Count == 0)
            return requestBinding;
        foreach (var range in ranges.OrderByDescending(static range => range, MediaTypeHeaderValueComparer.QualityComparer))
        {
            // The framework parses a quality that is not a number as 1.
            if (range.Quality is 0 || (range.Quality is null && range.Parameters.Any(static parameter => parameter.Name.Equals("q", StringComparison.OrdinalIgnoreCase))))
                continue;
            if (range.MatchesAllTypes || (range.MatchesAllSubTypes && range.Type.Equals("application", StringComparison.OrdinalIgnoreCase)))
                return requestBinding;
            if (bindings.FirstOrDefault(binding => binding.Produces(range.MediaType.AsSpan())) is { } binding)
                return binding;
        }

        return null;
    }

    /// <summary>The charset of a content type if it is not UTF-8; null otherwise.</summary>
    public static string? ForeignCharset(string? contentType)
        => contentType is not null && contentType.Contains("charset", StringComparison.OrdinalIgnoreCase) && !contentType.EndsWith("charset=utf-8", StringComparison.OrdinalIgnoreCase)
            && System.Net.Http.Headers.MediaTypeHeaderValue.TryParse(contentType, out var type) && type.CharSet?.Trim('"') is { Length: > 0 } charset
            && !charset.Equals("utf-8", StringComparison.OrdinalIgnoreCase) && !charset.Equals("us-ascii", StringComparison.OrdinalIgnoreCase) ? charset : null;
}
