using Postrider.Benchmarks.MessagePack;
using Postrider.Benchmarks.Turns;

namespace Postrider.Benchmarks.Rpc;

/// <summary>What is to be reached, held against cells of the same row.</summary>
/// <remarks>Ratios to the best peer are judged when MemoryPack is among them, which is the best one wherever it was measured; a peer
/// that is called in process is not among them. Those to gRPC and to CoreWCF with WCF's client are judged where they are in the row.</remarks>
internal static class RpcTargets
{
    private static readonly (string, int)[] s_cells = [.. CodecItems.Cells];
    private static readonly double[] s_socket = [0.70, 0.75, 0.70, 0.60, 0.70, 0.75, 0.85, 0.90];
    private static readonly double[] s_http = [1.15, 1.15, 1.05, 0.85, 1.15, 1.15, 1.10, 1.10];
    private static readonly double[] s_json = [0.80, 0.90, 1.00, 0.92, 0.80, 0.95, 0.92, 1.05];
    private static readonly double[] s_socketOfGrpc = [0.40, 0.40, 0.35, 0.25, 0.40, 0.45, 0.35, 0.45];
    private static readonly double[] s_http2OfGrpc = [0.90, 0.90, 0.70, 0.50, 0.90, 0.85, 0.65, 0.70];
    private static readonly double[] s_soap = [0.50, 0.50, 0.40, 0.30, 0.50, 0.35, 0.35, 0.40];
    private static readonly double?[] s_packed = [null, null, 0.5, 0.5, null, 0.65, 0.5, 0.5];

    /// <summary>Of a cell of the matrix.</summary>
    /// <param name="ours">The cell.</param>
    /// <param name="row">All of its row.</param>
    /// <param name="objectBytes">What the objects of both sides take.</param>
    public static IEnumerable<TurnTarget> Matrix(TurnCell ours, IReadOnlyList<TurnCell> row, double objectBytes)
    {
        var at = Array.FindIndex(s_cells, cell => $"{cell.Item1} {cell.Item2}" == ours.Row);
        if (ours.Subject == RpcSubjects.HttpJson && Peer(RpcSubjects.MinimalApi) is { } minimal)
            yield return TurnTarget.Of(ours, minimal, s_json[at]);
        if (ours.Subject == RpcSubjects.Soap && Peer(RpcSubjects.CoreWcf) is { } wcf)
            yield return TurnTarget.Of(ours, wcf, s_soap[at]);
        if (ours.Subject is RpcSubjects.Socket or RpcSubjects.Http2Packed && Peer(RpcSubjects.Grpc) is { } grpc)
            yield return TurnTarget.Of(ours, grpc, (ours.Subject == RpcSubjects.Socket ? s_socketOfGrpc : s_http2OfGrpc)[at]);
        if (ours.Subject is not (RpcSubjects.Socket or RpcSubjects.HttpPacked))
            yield break;
        var isSocket = ours.Subject == RpcSubjects.Socket;
        if (Peer(RpcSubjects.MemoryPack) is not null)
        {
            var best = row.Where(cell => !cell.IsOurs && !cell.Subject.StartsWith(RpcSubjects.OrleansInProcess, StringComparison.Ordinal)).Min(cell => cell.Value);
            yield return new("of the best peer", ours.Value / best, (isSocket ? s_socket : s_http)[at]);
        }

        if (!isSocket && s_packed[at] is { } most && Peer(RpcSubjects.MessagePackCSharp) is { } packed)
            yield return TurnTarget.Of(ours, packed, most);
        yield return new("p95 of p50", ours.Tail / ours.Value, 1.5);
        if (s_cells[at].Item2 == 0)
            yield return new("KiB a call", ours.Bytes / 1024, isSocket ? 0.5 : 4);
        if (ours.Row == "Large 100")
            yield return new("of the objects' bytes", ours.Bytes / objectBytes, 1.02);

        TurnCell? Peer(string name) => row.FirstOrDefault(cell => cell.Subject == name);
    }

    /// <summary>Of the correlated pattern with so many in flight, beside the blocking one.</summary>
    public static IEnumerable<TurnTarget> Flight(TurnCell ours, IReadOnlyList<TurnCell> row, string shape, int callers)
    {
        double? least = (shape, callers) switch { ("Small", 1) => 0.95, ("Small", 256) => 2, ("Large", 1) => 0.85, ("Large", 256) => 1.1, _ => null };
        if (ours.Subject == DispatchRows.Correlated && least is { } times && row.FirstOrDefault(cell => cell.Subject == DispatchRows.Blocking) is { } blocking)
            yield return TurnTarget.Of(ours, blocking, 1 / times);
    }
}
