using Postrider.MessagePack;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Codecs.MessagePack;
using Postrider.Serialization;

namespace Postrider.Rpc;

/// <summary>MessagePack codec based on generated formatters. Several parameters are an array.</summary>
/// <remarks>Booleans, numbers, strings, bytes, Guids and times need no context.</remarks>
public sealed class RpcMessagePackCodec : RpcCodec
{
    private readonly MessagePackLimits? _limits;

    /// <summary>Creates a codec for the types of a context.</summary>
    /// <param name="context">The context of the contract's types; null if it uses only built-in types.</param>
    /// <param name="limits">The limits for reading; null for the defaults.</param>
    public RpcMessagePackCodec(MessagePackContext? context = null, MessagePackLimits? limits = null)
        : this(new MessagePackSerializerProvider(context, limits))
    {
    }

    /// <summary>Creates a codec with the serializers of MessagePack that envelopes or payloads use, too.</summary>
    /// <param name="serializers">The serializers.</param>
    public RpcMessagePackCodec(MessagePackSerializerProvider serializers)
        : base(serializers) => _limits = serializers.Limits;

    /// <inheritdoc/>
    public override Serializer<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, Serializer<TFirst> first, Serializer<TRest> rest)
        => new MessagePackArguments<TFirst, TRest>(
            ((MessagePackTypeSerializer<TFirst>)first).Formatter, rest is UnitSerializer ? null : (IMessagePackArguments<TRest>)rest, _limits);
}
