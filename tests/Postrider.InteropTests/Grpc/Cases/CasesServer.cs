using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Grpc.Cases;

/// <summary>The cases' server of grpc-js, and the one on bare HTTP/2 for compression.</summary>
public sealed class CasesServer : IAsyncLifetime
{
    private ForeignProgram _program = null!;

    internal static string Proto => Path.Combine(Tools.Repository, "tests", "Postrider.InteropTests", "proto", "interop.proto");

    internal Uri GrpcJs { get; private set; } = null!;

    internal Uri Bare { get; private set; } = null!;

    public async ValueTask InitializeAsync()
    {
        _program = ForeignProgram.Start("node", Path.Combine(Tools.NodeStories, "grpc-cases-server.mjs"), Proto);
        var ports = (await _program.NextLineOrEndAsync() ?? await _program.ToEndAsync()).Split(' ');
        (GrpcJs, Bare) = (new Uri($"http://127.0.0.1:{ports[0]}"), new Uri($"http://127.0.0.1:{ports[1]}"));
    }

    public async ValueTask DisposeAsync() => await _program.DisposeAsync();

    /// <summary>Waits until a call was cancelled at the server.</summary>
    internal async Task<string?> NextCancelledAsync() => await _program.NextLineOrEndAsync();
}
