using Postrider.MessagePack;

namespace Postrider.Rpc.Codecs.MessagePack;

/// <summary>The codec's failures.</summary>
internal static class MessagePackErrors
{
    public static RpcException Unreadable(MessagePackException bad) => new(RpcStatus.InvalidData, bad.Message, bad);

    public static RpcException Unwritable(MessagePackException bad) => new(RpcStatus.InvalidData, bad.Message, bad);
}
