namespace Postrider.Benchmarks.Rpc;

/// <summary>A call with one list of items.</summary>
/// <param name="Run">Calls, and checks how many items came back.</param>
/// <param name="Prove">Calls and gives what came back.</param>
internal sealed record RpcCall(Func<ValueTask> Run, Func<ValueTask<object>> Prove);
