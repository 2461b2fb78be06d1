using Postrider.Generators;

namespace Postrider.Generator.Model;

/// <summary>Which interface a middleware class implements.</summary>
[System.Flags]
internal enum MiddlewareShape
{
    None = 0,
    Middleware = 1,
    ContextMiddleware = 2,
    Before = 4,
    After = 8,
    Finally = 16,
    Stream = 32,
    PreProcessor = 64,
    PostProcessor = 128,
    ExceptionHandler = 256,
    ExceptionAction = 512,
    CompatExceptionHandler = 1024,
    CompatExceptionAction = 2048,
    Hooks = Before | After | Finally,
    Exceptions = ExceptionHandler | ExceptionAction | CompatExceptionHandler | CompatExceptionAction,
    Around = PreProcessor | PostProcessor | Exceptions,
}

/// <summary>A middleware or hook class that applies to the messages it matches.</summary>
/// <param name="Instance">The class.</param>
/// <param name="Shape">The interface that it implements.</param>
/// <param name="Request">The interface's first type argument: a name, or <c>{n}</c> for the class's n-th type parameter.</param>
/// <param name="Response">The second one, or empty for hooks that do not receive the response.</param>
/// <param name="Exception">The exception type of exception handlers and actions, or empty.</param>
/// <param name="Parameters">The class's type parameters.</param>
/// <param name="Order">Lower is further from the handler.</param>
internal sealed record MiddlewareModel(
    InstanceModel Instance,
    MiddlewareShape Shape,
    string Request,
    string Response,
    string Exception,
    EquatableArray<TypeParameterModel> Parameters,
    int Order)
{
    /// <summary>Whether it represents the steps that MediatR's package composes itself.</summary>
    internal bool IsCompat
        => (Shape & (MiddlewareShape.CompatExceptionHandler | MiddlewareShape.CompatExceptionAction)) != MiddlewareShape.None
        || Instance.Full.StartsWith("global::Postrider.Compat.MediatR.", System.StringComparison.Ordinal);
}

/// <summary>The constraints of a type parameter.</summary>
/// <param name="Types">Base classes and interfaces, with <c>{n}</c> for type parameters, and <see cref="Constraints"/>.</param>
internal sealed record TypeParameterModel(EquatableArray<string> Types);
