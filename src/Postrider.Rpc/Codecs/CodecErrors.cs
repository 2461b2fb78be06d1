using Postrider.Serialization;

namespace Postrider.Rpc.Codecs;

/// <summary>The exceptions of serializers as those of Rpc.</summary>
internal static class CodecErrors
{
    /// <summary>Creates the exception for a message that cannot be written or read, with a text that may be sent to the other side.</summary>
    public static RpcException From(SerializerException failure)
        => failure.Error is SerializerError.NoSerializer or SerializerError.UnsupportedContentType
            ? new(RpcStatus.Unsupported, failure.Message, failure)
            : new(RpcStatus.InvalidData, failure.Detail, failure);
}
