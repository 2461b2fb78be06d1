using System.CommandLine;
using System.Text.Json;
using Postrider.Wire.Frames;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider server info</c>.</summary>
internal static class ServerInfoVerb
{
    internal static Command Create()
    {
        var server = new ServerOptions();
        return ClientVerb.Create("info", """
            Show a server's information about itself.
              postrider server info -s nats://127.0.0.1:4222 --json
            """, server, RunAsync);

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            await using var client = await server.ConnectAsync(result, "server info", ct);
            await client.FlushAsync(ct);
            var info = client.ServerInfo!;
            await Console.Out.WriteLineAsync(server.Json(result) ? JsonSerializer.Serialize(info, WireJsonContext.Default.ServerInfo) : Readable(info));
            return ClientVerb.Success;
        }
    }

    private static string Readable(ServerInfo info) => $"""
        Name         {info.ServerName}
        Id           {info.ServerId}
        Version      {info.Version} ({info.Runtime})
        Address      {info.Host}:{info.Port}
        Cluster      {info.Cluster ?? "none"}
        Max payload  {ByteSize.Text(info.MaxPayload)}
        Headers      {YesNo(info.Headers)}
        JetStream    {YesNo(info.JetStream)}
        Auth         {(info.AuthRequired ? "required" : "not required")}
        TLS          {(info.TlsRequired ? "required" : info.TlsAvailable ? "available" : "no")}
        Client       number {info.ClientId} from {info.ClientIp}
        """;

    private static string YesNo(bool value) => value ? "yes" : "no";
}
