using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Tls;

/// <summary>Servers of both kinds with the same TLS block.</summary>
internal static class TlsServers
{
    public static TheoryData<ServerKind> Both => [ServerKind.Go, ServerKind.Postrider];

    /// <summary>Starts a server.</summary>
    /// <param name="kind">Which one.</param>
    /// <param name="certificates">Name its files.</param>
    /// <param name="block">Keys of the tls block besides the files.</param>
    /// <param name="more">Lines besides the block.</param>
    public static Task<ServerProcess> StartAsync(ServerKind kind, TestCertificates certificates, string block = "", string more = "")
    {
        var configuration = ServerProcess.WriteConfiguration($$"""
            http: "127.0.0.1:-1"
            tls {
              cert_file: "{{certificates.ServerFile}}"
              key_file: "{{certificates.ServerKeyFile}}"
              ca_file: "{{certificates.CaFile}}"
              {{block}}
            }
            {{more}}
            """);
        return ServerProcess.StartAsync(kind, "-c", configuration);
    }
}
