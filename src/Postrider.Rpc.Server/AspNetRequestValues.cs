using System.Globalization;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Primitives;

namespace Postrider.Rpc.Server;

/// <summary>A request's path, query and headers.</summary>
internal sealed class AspNetRequestValues(HttpContext http) : HttpRequestValues
{
    public override int Count(HttpParameterSource source, string name) => source switch
    {
        HttpParameterSource.Path => http.Request.RouteValues.ContainsKey(name) ? 1 : 0,
        HttpParameterSource.Query => http.Request.Query[name].Count,
        _ => http.Request.Headers[name].Count,
    };

    public override string Get(HttpParameterSource source, string name, int at) => source switch
    {
        HttpParameterSource.Path => Path(name),
        HttpParameterSource.Query => At(http.Request.Query[name], at),
        _ => At(http.Request.Headers[name], at),
    };

    private static string At(StringValues values, int at) => values[at] ?? "";

    private string Path(string name)
    {
        var value = Convert.ToString(http.Request.RouteValues[name], CultureInfo.InvariantCulture) ?? "";

        // Servers do not decode %2F, so that it does not separate segments: the value is read from the original request target.
        return value.Contains("%2F", StringComparison.OrdinalIgnoreCase) && Sent(name) is { } sent ? Uri.UnescapeDataString(sent) : value;
    }

    private string? Sent(string name)
    {
        if (http.GetEndpoint() is not RouteEndpoint { RoutePattern: var pattern } || http.Features.Get<IHttpRequestFeature>()?.RawTarget is not ['/', ..] target)
            return null;
        var before = http.Request.PathBase.Value is { Length: > 0 } start ? start.AsSpan().Count('/') : 0;
        for (var i = 0; i < pattern.PathSegments.Count; i++)
        {
            if (pattern.PathSegments[i].Parts is not [Microsoft.AspNetCore.Routing.Patterns.RoutePatternParameterPart part] || !part.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
                continue;
            var end = target.IndexOf('?', StringComparison.Ordinal);
            var segments = (end < 0 ? target : target[..end])[1..].Split('/');
            var at = before + i;
            return at >= segments.Length ? null : part.IsCatchAll ? string.Join('/', segments[at..]) : segments[at];
        }

        return null;
    }
}
