using System.Text.Json.Serialization;
using Postrider.Rpc;

namespace PostriderRpc;

/// <summary>The contract, from which client and server are generated.</summary>
[Service("greeter", Version = "1.0.0")]
public interface IGreeter
{
    /// <summary>Greets a person.</summary>
    ValueTask<Greeting> GreetAsync(Guest guest, CancellationToken ct = default);
}

/// <summary>The person to greet.</summary>
public sealed record Guest(string Name);

/// <summary>The response.</summary>
public sealed record Greeting(string Text);

/// <summary>The types that are serialized.</summary>
// A member that is missing or null where the type does not allow it is an error, not a null in the handler.
[JsonSourceGenerationOptions(System.Text.Json.JsonSerializerDefaults.Web, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(Guest))]
[JsonSerializable(typeof(Greeting))]
public sealed partial class GreeterJson : JsonSerializerContext;
