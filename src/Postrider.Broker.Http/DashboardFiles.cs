using Microsoft.AspNetCore.Http;

namespace Postrider.Broker.Http;

/// <summary>The static files of the dashboard.</summary>
/// <remarks>Thread-safe.</remarks>
internal static class DashboardFiles
{
    internal const string Path = "/dashboard/";

    // No resources of other hosts, no inline scripts or styles, no embedding in frames.
    private const string Policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static readonly string[] s_scripts = ["dashboard", "buckets", "charts", "connections", "deadletters", "elements", "live", "messages", "nats", "overview", "routes", "services", "session", "streams"];

    private static readonly Dictionary<string, (string Type, byte[] Content)> s_files = new(
        s_scripts.Select(static name => KeyValuePair.Create($"{name}.js", ("text/javascript; charset=utf-8", Read($"{name}.js")))), StringComparer.Ordinal)
    {
        [""] = ("text/html; charset=utf-8", Read("index.html")),
        ["dashboard.css"] = ("text/css; charset=utf-8", Read("dashboard.css")),
    };

    /// <summary>Whether a path is that of a file.</summary>
    internal static bool Has(string page) => page.StartsWith(Path, StringComparison.Ordinal) && s_files.ContainsKey(page[Path.Length..]);

    /// <summary>Responds with a file.</summary>
    /// <param name="page">The path, one for which <see cref="Has"/> is true.</param>
    /// <param name="response">The response.</param>
    internal static Task SendAsync(string page, HttpResponse response)
    {
        var file = s_files[page[Path.Length..]];
        response.ContentType = file.Type;
        response.ContentLength = file.Content.Length;
        response.Headers.ContentSecurityPolicy = Policy;
        response.Headers.XContentTypeOptions = "nosniff";
        response.Headers["Referrer-Policy"] = "no-referrer";
        response.Headers.CacheControl = "no-cache";
        return response.Body.WriteAsync(file.Content).AsTask();
    }

    private static byte[] Read(string name)
    {
        using var stream = typeof(DashboardFiles).Assembly.GetManifestResourceStream($"Postrider.Broker.Http.Dashboard.{name}")
            ?? throw new InvalidOperationException($"The library was built without the file {name}.");
        var content = new byte[stream.Length];
        stream.ReadExactly(content);
        return content;
    }
}
