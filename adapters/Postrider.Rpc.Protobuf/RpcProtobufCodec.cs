using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Postrider.Rpc.Protobuf;

/// <summary>Protobuf by the classes that <c>protoc</c> wrote.</summary>
/// <remarks>
/// A message of a contract is a message of a <c>.proto</c> file. A boolean, number, text or bytes stands where a file has the wrapper
/// (<c>google.protobuf.Int32Value</c>): a message with the value as field 1. Several parameters are a message whose fields are the
/// parameters, numbered from 1. Nothing is <c>google.protobuf.Empty</c>. Protobuf has no null: a text that is null is not sent, and one that
/// was not sent is empty. Thread-safe.
/// </remarks>
public sealed class RpcProtobufCodec : RpcCodec
{
    private readonly Dictionary<Type, MessageDescriptor> _messages = [];

    /// <summary>Knows the messages of <c>.proto</c> files, and of the files that they import.</summary>
    /// <param name="files">What <c>protoc</c> made of the files: <c>OrdersReflection.Descriptor</c>.</param>
    public RpcProtobufCodec(params IReadOnlyList<FileDescriptor> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        var known = new HashSet<FileDescriptor>();
        foreach (var file in files)
            Add(file, known);
    }

    /// <inheritdoc/>
    public override string ContentType => "application/protobuf";

    /// <inheritdoc/>
    public override bool Accepts(ReadOnlySpan<char> mediaType)
        => base.Accepts(mediaType)
        || mediaType.Equals("application/x-protobuf", StringComparison.OrdinalIgnoreCase)
        || mediaType.Equals("application/vnd.google.protobuf", StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public override string SchemaName(Type type) => _messages.TryGetValue(type, out var message) ? message.FullName : base.SchemaName(type);

    /// <inheritdoc/>
    public override RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest)
        => new ProtobufArguments<TFirst, TRest>(((IProtobufField<TFirst>)first).Field, rest as IProtobufFields<TRest>);

    /// <inheritdoc/>
    protected override RpcFormatter<T>? Find<T>()
        => _messages.TryGetValue(typeof(T), out var message) ? new MessageFormatter<T>(message.Parser)
        : ScalarFields.Find<T>() is { } field ? new ScalarFormatter<T>(field)
        : null;

    private void Add(FileDescriptor file, HashSet<FileDescriptor> known)
    {
        if (!known.Add(file))
            return;
        foreach (var message in file.MessageTypes)
            Add(message);
        foreach (var imported in file.Dependencies)
            Add(imported, known);
    }

    private void Add(MessageDescriptor message)
    {
        // The entries of maps have no class.
        if (message.ClrType is { } type)
            _messages[type] = message;
        foreach (var nested in message.NestedTypes)
            Add(nested);
    }
}
