using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.WebSockets;

/// <summary>Servers of both kinds with the same listener for WebSockets.</summary>
internal static class WebSocketServers
{
    public static TheoryData<ServerKind> Both => [ServerKind.Go, ServerKind.Postrider];

    /// <summary>Starts a server without TLS.</summary>
    /// <param name="kind">Which one.</param>
    /// <param name="block">Keys of the websocket block besides the address.</param>
    /// <param name="more">Lines besides the block.</param>
    public static Task<ServerProcess> StartAsync(ServerKind kind, string block = "", string more = "")
        => ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration($$"""
            http: "127.0.0.1:-1"
            websocket {
              listen: "127.0.0.1:-1"
              no_tls: true
              handshake_timeout: "60s"
              {{block}}
            }
            {{more}}
            """));

    /// <summary>Starts a server with TLS.</summary>
    public static Task<ServerProcess> StartSecureAsync(ServerKind kind, TestCertificates certificates, string tls = "", string block = "", string more = "")
        => ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration($$"""
            websocket {
              listen: "127.0.0.1:-1"
              handshake_timeout: "60s"
              tls {
                timeout: 60
                cert_file: "{{certificates.ServerFile}}"
                key_file: "{{certificates.ServerKeyFile}}"
                ca_file: "{{certificates.CaFile}}"
                {{tls}}
              }
              {{block}}
            }
            {{more}}
            """));

    /// <summary>The port of the listener.</summary>
    public static int WebSocketPort(this ServerProcess server) => new Uri(server.Ports.GetProperty("websocket")[0].GetString()!).Port;
}
