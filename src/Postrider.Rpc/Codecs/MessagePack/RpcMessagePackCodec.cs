using Postrider.MessagePack;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Codecs.MessagePack;

namespace Postrider.Rpc;

/// <summary>MessagePack codec based on generated formatters. Several parameters are an array.</summary>
/// <remarks>Booleans, numbers, strings, bytes, Guids and times need no context.</remarks>
public sealed class RpcMessagePackCodec : RpcCodec
{
    private readonly MessagePackContext? _context;
    private readonly MessagePackLimits? _limits;

    /// <summary>Creates a codec for the types of a context.</summary>
    /// <param name="context">The context of the contract's types; null if it uses only built-in types.</param>
    /// <param name="limits">The limits for reading; null for the defaults.</param>
    public RpcMessagePackCodec(MessagePackContext? context = null, MessagePackLimits? limits = null)
        => (_context, _limits) = (context, limits);

    /// <inheritdoc/>
    public override string ContentType => "application/msgpack";

    /// <inheritdoc/>
    public override bool Accepts(ReadOnlySpan<char> mediaType)
        => base.Accepts(mediaType)
        || mediaType.Equals("application/x-msgpack", StringComparison.OrdinalIgnoreCase)
        || mediaType.Equals("application/vnd.msgpack", StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public override RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest)
        => new MessagePackArguments<TFirst, TRest>(
            ((MessagePackValue<TFirst>)first).Formatter, rest is UnitFormatter ? null : (IMessagePackArguments<TRest>)rest, _limits);

    /// <inheritdoc/>
    protected override RpcFormatter<T>? Find<T>()
        => (_context?.Find<T>() ?? ScalarFormatters.Default.Find<T>()) is { } formatter ? new MessagePackValue<T>(formatter, _limits) : null;
}
