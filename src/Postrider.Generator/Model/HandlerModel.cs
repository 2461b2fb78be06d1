using Postrider.Generators;

namespace Postrider.Generator.Model;

/// <summary>How a handler returns its result.</summary>
internal enum ResultShape
{
    Nothing,
    Value,
    Task,
    TaskOfValue,
    ValueTask,
    ValueTaskOfValue,
    Sequence,
}

/// <summary>How long an instance lives.</summary>
internal enum Lifetime
{
    Inferred,
    Singleton,
    Scoped,
    Transient,
}

/// <summary>The source of an argument.</summary>
internal enum ArgumentKind
{
    Message,
    Cancellation,
    Context,
    Service,
    Provider,
}

/// <summary>One argument of a constructor or a handler method.</summary>
/// <param name="Kind">The source of the argument.</param>
/// <param name="Type">The service's type.</param>
/// <param name="Key">A keyed service's key as a C# literal, or empty.</param>
/// <param name="IsOptional">A missing service is null.</param>
/// <param name="IsSingleton">Whether the service is known to be a singleton.</param>
/// <param name="Otherwise">The value of an optional argument without a service, as a C# expression; null by itself, or empty.</param>
/// <param name="IsValue">It is a value: no container has it, and it is <paramref name="Otherwise"/>.</param>
internal sealed record ArgumentModel(
    ArgumentKind Kind, string Type, string Key, bool IsOptional, bool IsSingleton, string Otherwise = "", bool IsValue = false)
{
    /// <summary>An argument that is not a service.</summary>
    internal static ArgumentModel Of(ArgumentKind kind) => new(kind, "", "", false, false);
}

/// <summary>A class whose instances the generated code creates.</summary>
/// <param name="Full">Its name; for an open generic with placeholders <c>{0}</c>, <c>{1}</c> for its type arguments.</param>
/// <param name="Display">The display name.</param>
/// <param name="Constructor">The constructor's arguments.</param>
/// <param name="Lifetime">As written or inferred; never <see cref="Lifetime.Inferred"/>.</param>
/// <param name="IsDisposable">The container has to dispose it.</param>
/// <param name="IsShared">Steps of several pipelines, or several of one, call the same instance if it lives once.</param>
internal sealed record InstanceModel(
    string Full, string Display, EquatableArray<ArgumentModel> Constructor, Lifetime Lifetime, bool IsDisposable, bool IsShared = false);

/// <summary>One handler: a message type and the method that takes it.</summary>
/// <param name="Message">The message.</param>
/// <param name="Kind">The kind of message.</param>
/// <param name="IsMarked">The message implements one of the marker interfaces.</param>
/// <param name="Response">The response or item type; <c>Unit</c> for commands, empty for notifications.</param>
/// <param name="ResponseBases">Base classes and interfaces of the response, itself first.</param>
/// <param name="Owner">The class the method is in.</param>
/// <param name="IsStatic">No instance is needed.</param>
/// <param name="Call">The receiver and method, with <c>{0}</c> for the instance.</param>
/// <param name="Arguments">The method's arguments.</param>
/// <param name="Shape">How the result is returned.</param>
/// <param name="Order">Among the handlers of one notification.</param>
/// <param name="Strategy">The notification's publish strategy as a C# expression, or empty.</param>
/// <param name="Definition">Of a generic class, which handles a notification once whatever it is closed for: the class without
/// its type arguments; else empty.</param>
internal sealed record HandlerModel(
    TypeModel Message,
    MessageKind Kind,
    bool IsMarked,
    string Response,
    EquatableArray<string> ResponseBases,
    InstanceModel Owner,
    bool IsStatic,
    string Call,
    EquatableArray<ArgumentModel> Arguments,
    ResultShape Shape,
    int Order,
    string Strategy,
    string Definition = "");
