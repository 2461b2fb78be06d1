using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Postrider.Benchmarks.MessagePack;
using Postrider.Benchmarks.Rpc.Protos;

namespace Postrider.Benchmarks.Rpc;

/// <summary>Calls whose messages are not our lists.</summary>
internal static class OtherCalls
{
    /// <summary>Messages of Protobuf, as its users have them.</summary>
    public static RpcSubject Proto(string name, IEchoProto echo) => Proto(name, echo.SmallAsync, echo.LargeAsync);

    /// <inheritdoc cref="Proto(string, IEchoProto)"/>
    public static RpcSubject Proto(string name, Func<SmallItems, ValueTask<SmallItems>> small, Func<LargeItems, ValueTask<LargeItems>> large) => new(
        name,
        json => Call(ProtoItems.Of(JsonSerializer.Deserialize<List<Small>>(json)!), small, message => message.Items.Count, ProtoItems.Of),
        json => Call(ProtoItems.Of(JsonSerializer.Deserialize<List<Large>>(json)!), large, message => message.Items.Count, ProtoItems.Of));

    /// <summary>The bytes that MessagePack makes of the items, and nothing made of them on either side.</summary>
    public static RpcSubject Bytes(string name, IEchoBytes echo)
    {
        var codec = new OwnCodec();
        return new(name, json => Of(codec.ForSmall(json)), json => Of(codec.ForLarge(json)));

        RpcCall Of(CodecWork work)
        {
            var buffer = new ArrayBufferWriter<byte>();
            work.Write(buffer, work.Items);
            return Call(buffer.WrittenSpan.ToArray(), echo.EchoAsync, bytes => bytes.Length, bytes => work.Read(bytes));
        }
    }

    /// <summary>Lists of somebody else's items, which have the JSON of ours.</summary>
    public static RpcCall List<T>(List<T> list, Func<List<T>, ValueTask<List<T>>> call) => Call(list, call, items => items.Count, items => items);

    private static RpcCall Call<T>(T message, Func<T, ValueTask<T>> call, Func<T, int> count, Func<T, object> items)
    {
        var sent = count(message);
        return new(
            [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))] async ValueTask () => RpcSubject.Check(count(await call(message)), sent),
            async () => items(await call(message)));
    }
}
