using System.Runtime.CompilerServices;
using System.Text.Json;
using Postrider.Benchmarks.MessagePack;

namespace Postrider.Benchmarks.Rpc;

/// <summary>Who is called, and how.</summary>
/// <param name="Name">The name in the tables.</param>
/// <param name="Small">The call with small items, given as JSON.</param>
/// <param name="Large">The call with large items.</param>
internal sealed record RpcSubject(string Name, Func<string, RpcCall> Small, Func<string, RpcCall> Large)
{
    /// <summary>A client of the contract, ours or one written by hand.</summary>
    public static RpcSubject Of(string name, IEcho echo)
        => new(name, json => Call<Small>(json, echo.SmallAsync), json => Call<Large>(json, echo.LargeAsync));

    /// <summary>The call of a row.</summary>
    public RpcCall Of(string shape, int count) => (shape == "Small" ? Small : Large)(CodecItems.Json(shape, count));

    private static RpcCall Call<T>(string json, Func<List<T>, ValueTask<List<T>>> call)
    {
        var items = JsonSerializer.Deserialize<List<T>>(json)!;
        return new(
            // Pooled, so that the bytes of a call are the subject's.
            [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))] async ValueTask () => Check((await call(items)).Count, items.Count),
            async () => await call(items));
    }

    /// <summary>Not as many as were sent is no answer.</summary>
    public static void Check(int answered, int sent)
    {
        if (answered != sent)
            throw new InvalidOperationException($"{answered} items came back of {sent}.");
    }
}
