using System.Text.Json.Serialization;
using Postrider.Rpc;

namespace PostriderRpc;

/// <summary>The contract: client and server are generated from it.</summary>
[Service("greeter", Version = "1.0.0")]
public interface IGreeter
{
    /// <summary>Greets somebody.</summary>
    ValueTask<Greeting> GreetAsync(Guest guest, CancellationToken ct = default);
}

/// <summary>Who is greeted.</summary>
public sealed record Guest(string Name);

/// <summary>The answer.</summary>
public sealed record Greeting(string Text);

/// <summary>What crosses the wire.</summary>
[JsonSourceGenerationOptions(System.Text.Json.JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(Guest))]
[JsonSerializable(typeof(Greeting))]
public sealed partial class GreeterJson : JsonSerializerContext;
