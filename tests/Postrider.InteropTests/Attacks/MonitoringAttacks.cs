using System.Globalization;

namespace Postrider.InteropTests.Attacks;

/// <summary>Probes of the monitoring port.</summary>
internal static class MonitoringAttacks
{
    private const string Host = "Host: localhost\r\n";

    /// <summary>The bytes that are sent, by name.</summary>
    public static IReadOnlyDictionary<string, string> All { get; } = Build().ToDictionary(static row => row.Name, static row => row.Request, StringComparer.Ordinal);

    private static IEnumerable<(string Name, string Request)> Build()
    {
        foreach (var path in (string[])
                 [
                     "/nothing", "/varz/", "/varz/x", "/VARZ", "/../varz", "/..%2fvarz", "/%2e%2e/etc/passwd", "/../../../../etc/passwd", "/varz/../../etc/passwd", "/.git/config", "/server.conf",
                     "/debug/pprof/", "/debug/pprof/heap", "/debug/vars", "/admin", "/connz?auth=1&auth=0", "/connz?limit=-1", "/connz?limit=999999999999999999999", "/connz?offset=-5", "/connz?cid=-1",
                     "/connz?cid=x", "/connz?sort=password", "/connz?state=nothing", "/connz?subs=%00", "/connz?user=victim&acc=V", "/connz?auth=%3Cscript%3E", "/subsz?test=a..b", "/subsz?limit=x",
                     "/accountz?acc=%2e%2e%2f", "/accountz?acc=nobody", "/jsz?accounts=x", "/healthz?js-enabled-only=maybe", "/healthz?account=x&stream=y", "/routez?subs=x", "/leafz?subs=x", "/gatewayz?accs=x",
                     "/varz?callback=alert(1)", "/varz?callback=%3Cscript%3Ealert(1)%3C/script%3E", "/varz?callback=", "/stacksz",
                 ])
        {
            yield return ($"path: {path}", $"GET {path} HTTP/1.1\r\n{Host}Connection: close\r\n\r\n");
        }
        foreach (var method in (string[])["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"])
            yield return ($"method: {method}", $"{method} /varz HTTP/1.1\r\n{Host}Content-Length: 0\r\nConnection: close\r\n\r\n");
        yield return ("body that is announced and not needed", $"GET /healthz HTTP/1.1\r\n{Host}Content-Length: 5\r\nConnection: close\r\n\r\nhello");
        yield return ("NATS spoken to HTTP", "CONNECT {\"user\":\"victim\",\"pass\":\"p\"}\r\nPING\r\n\r\n");
        yield return ("no HTTP at all", "\x01\x02\x03\x04\r\n\r\n");
        yield return ("line end in the path", "GET /varz\r\nX: y HTTP/1.1\r\n\r\n");
        yield return ("two lengths", $"GET /healthz HTTP/1.1\r\n{Host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!");
        yield return ("negative length", $"POST /healthz HTTP/1.1\r\n{Host}Content-Length: -1\r\n\r\n");
        yield return ("chunks that are none", $"POST /healthz HTTP/1.1\r\n{Host}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n");
        yield return ("no host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n");
        yield return ("two hosts", $"GET /healthz HTTP/1.1\r\n{Host}{Host}Connection: close\r\n\r\n");
        yield return ("blank before the colon", $"GET /healthz HTTP/1.1\r\n{Host}X : y\r\nConnection: close\r\n\r\n");
        yield return ("version 9", $"GET /healthz HTTP/9.0\r\n{Host}\r\n");
        yield return ("head of two megabytes", string.Create(CultureInfo.InvariantCulture, $"GET /healthz HTTP/1.1\r\n{Host}X: {new string('a', 2 * 1024 * 1024)}\r\nConnection: close\r\n\r\n"));
        yield return ("hundred thousand header lines", $"GET /healthz HTTP/1.1\r\n{Host}{string.Concat(Enumerable.Repeat("X: y\r\n", 200_000))}Connection: close\r\n\r\n");
        yield return ("path of a hundred thousand letters", $"GET /{new string('a', 100_000)} HTTP/1.1\r\n{Host}Connection: close\r\n\r\n");
    }
}
