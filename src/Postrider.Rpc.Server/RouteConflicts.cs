using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Routing.Patterns;

namespace Postrider.Rpc.Server;

/// <summary>Detects routes that are mapped twice. ASP.NET would report them only with the first matching request.</summary>
internal static class RouteConflicts
{
    // Per application or group: routes that differ by a group's prefix or hosts do not conflict.
    private static readonly ConditionalWeakTable<IEndpointRouteBuilder, HashSet<string>> s_known = [];

    /// <summary>Registers routes.</summary>
    /// <param name="routes">The builder on which they are mapped.</param>
    /// <param name="service">The service that has them.</param>
    /// <param name="added">Each route as a method and a template.</param>
    /// <exception cref="ArgumentException">One of them is already registered.</exception>
    public static void Add(IEndpointRouteBuilder routes, string service, IEnumerable<(string Method, string Template)> added)
    {
        var known = s_known.GetOrCreateValue(routes);
        foreach (var (method, template) in added)
        {
            if (!known.Add($"{method} {Shape(template)}"))
            {
                throw new ArgumentException(
                    $"{method} /{template.TrimStart('/')} of the service {service} is already mapped. Give one of the services another name or path, or map it in its own group: app.MapGroup(\"/v2\").", nameof(service));
            }
        }
    }

    // Routing compares paths this way: case-insensitive, and without the names of parameters.
    private static string Shape(string template)
        => string.Join('/', RoutePatternFactory.Parse(template).PathSegments.Select(static segment => string.Concat(segment.Parts.Select(static part => part switch
        {
            RoutePatternParameterPart { IsCatchAll: true } => "{*}",
            RoutePatternParameterPart => "{}",
            RoutePatternLiteralPart literal => literal.Content.ToLowerInvariant(),
            RoutePatternSeparatorPart separator => separator.Content,
            _ => "",
        }))));
}
