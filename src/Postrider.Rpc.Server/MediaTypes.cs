using Microsoft.Net.Http.Headers;

namespace Postrider.Rpc.Server;

/// <summary>What callers send and want.</summary>
internal static class MediaTypes
{
    /// <summary>A media type without what follows its semicolon.</summary>
    public static ReadOnlySpan<char> WithoutParameters(ReadOnlySpan<char> type)
        => type.IndexOf(';') is >= 0 and var end ? type[..end].Trim() : type.Trim();

    /// <summary>The form that an <c>Accept</c> header prefers, the request's form for a wildcard; null when it accepts none.</summary>
    /// <param name="accept">The header's values. Without a readable media range they accept everything (RFC 9110, section 12.5.1).</param>
    /// <param name="asked">The form of the request.</param>
    /// <param name="forms">All forms, the preferred first.</param>
    public static T? Choose<T>(IList<string> accept, T asked, IReadOnlyList<T> forms)
        where T : class, IGivenForm
    {
        if (!MediaTypeHeaderValue.TryParseList(accept, out var ranges) || ranges.Count == 0)
            return asked;
        foreach (var range in ranges.OrderByDescending(static range => range, MediaTypeHeaderValueComparer.QualityComparer))
        {
            // The framework reads a quality that is not a number as 1.
            if (range.Quality is 0 || (range.Quality is null && range.Parameters.Any(static parameter => parameter.Name.Equals("q", StringComparison.OrdinalIgnoreCase))))
                continue;
            if (range.MatchesAllTypes || (range.MatchesAllSubTypes && range.Type.Equals("application", StringComparison.OrdinalIgnoreCase)))
                return asked;
            if (forms.FirstOrDefault(form => form.Gives(range.MediaType.AsSpan())) is { } form)
                return form;
        }

        return null;
    }

    /// <summary>The encoding of characters that a content type names, where it is another than UTF-8; null otherwise.</summary>
    public static string? ForeignCharset(string? contentType)
        => contentType is not null && contentType.Contains("charset", StringComparison.OrdinalIgnoreCase) && !contentType.EndsWith("charset=utf-8", StringComparison.OrdinalIgnoreCase)
            && System.Net.Http.Headers.MediaTypeHeaderValue.TryParse(contentType, out var type) && type.CharSet?.Trim('"') is { Length: > 0 } charset
            && !charset.Equals("utf-8", StringComparison.OrdinalIgnoreCase) && !charset.Equals("us-ascii", StringComparison.OrdinalIgnoreCase) ? charset : null;
}
