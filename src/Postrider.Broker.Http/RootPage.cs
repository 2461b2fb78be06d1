namespace Postrider.Broker.Http;

/// <summary>The page at the root: links to the others.</summary>
internal static class RootPage
{
    // Links are relative, so that they work behind a base path and a reverse proxy.
    internal const string Html = """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Postrider</title>
        <style>body{font-family:system-ui,sans-serif;margin:2rem;line-height:1.6}code{color:#777;margin-left:.6rem}</style>
        </head>
        <body>
        <h1>Postrider</h1>
        <a href="./dashboard/">Dashboard</a><br>
        <a href="./varz">General</a><code>/varz</code><br>
        <a href="./connz">Connections</a><code>/connz</code><br>
        <a href="./subsz">Subscriptions</a><code>/subsz</code><br>
        <a href="./healthz">Health</a><code>/healthz</code><br>
        <a href="./metrics">Metrics for Prometheus</a><code>/metrics</code><br>
        <a href="./jsz">JetStream</a><code>/jsz</code><br>
        <a href="./accountz">Accounts</a><code>/accountz</code><br>
        <a href="./accstatz">Account statistics</a><code>/accstatz</code><br>
        <a href="./routez">Routes</a><code>/routez</code><br>
        <a href="./leafz">Leaf nodes</a><code>/leafz</code><br>
        <a href="./gatewayz">Gateways</a><code>/gatewayz</code><br>
        </body>
        </html>

        """;
}
