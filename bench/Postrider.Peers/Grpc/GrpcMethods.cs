using Google.Protobuf;
using Grpc.Core;
using Postrider.Benchmarks.Rpc.Protos;

namespace Postrider.Benchmarks.Peers.Grpc;

/// <summary>What <c>grpc_csharp_plugin</c> would write of the service.</summary>
public static class GrpcMethods
{
    /// <summary>The echo of small items.</summary>
    public static readonly Method<SmallItems, SmallItems> Small = Of("Small", SmallItems.Parser);

    /// <summary>The echo of large items.</summary>
    public static readonly Method<LargeItems, LargeItems> Large = Of("Large", LargeItems.Parser);

    /// <summary>Called by gRPC's server.</summary>
    /// <param name="binder">Takes the methods.</param>
    /// <param name="echo">Null while the methods are looked for.</param>
    public static void BindService(ServiceBinderBase binder, GrpcEchoBase? echo)
    {
        binder.AddMethod(Small, echo is null ? null : new UnaryServerMethod<SmallItems, SmallItems>(echo.Small));
        binder.AddMethod(Large, echo is null ? null : new UnaryServerMethod<LargeItems, LargeItems>(echo.Large));
    }

    private static Method<T, T> Of<T>(string name, MessageParser<T> parser)
        where T : IMessage<T>
    {
        var marshaller = new Marshaller<T>(
            static (message, context) =>
            {
                context.SetPayloadLength(message.CalculateSize());
                message.WriteTo(context.GetBufferWriter());
                context.Complete();
            },
            context => parser.ParseFrom(context.PayloadAsReadOnlySequence()));
        return new(MethodType.Unary, "postrider.bench.Echo", name, marshaller, marshaller);
    }
}
