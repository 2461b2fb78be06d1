using Microsoft.CodeAnalysis;
using Postrider.Generators;

namespace Postrider.Generator.Diagnostics;

/// <summary>The diagnostics that the analyzer reports. Each has a page: docs/diagnostics/ID.md.</summary>
internal static class DiagnosticDescriptors
{
    internal static readonly DiagnosticDescriptor NoHandler = Create(
        "PR0001", "Message has no handler",
        "{0} has no handler in this project or in the projects it references ({1}): {2}", DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor HandlerElsewhere = Create(
        "PR0002", "Message is handled by no referenced project",
        "{0} of {1} is sent here, but it has no handler in this project or in the projects it references ({2}): reference the project that has one, or route the message",
        DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor DuplicateHandler = Create(
        "PR0003", "Message has several handlers",
        "{0} is also handled by {1}; a message that is sent has exactly one handler", DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor WrongResponse = Create(
        "PR0004", "Handler returns a different type than the message declares",
        "{0} declares {1}, but {2} returns {3}", DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor UnreachableMiddleware = Create(
        "PR0005", "Middleware never runs", "{0} {1}", DiagnosticSeverity.Warning);

    internal static readonly DiagnosticDescriptor CaptiveDependency = Create(
        "PR0006", "Singleton keeps a scoped service",
        "{0} lives as long as the container, but {1} is registered as scoped; make the handler scoped", DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor Recursion = Create(
        "PR0007", "Handler sends the message it handles",
        "{0} sends {1}, which leads back to it ({2}): without a condition this never ends", DiagnosticSeverity.Warning,
        WellKnownDiagnosticTags.CompilationEnd);

    internal static readonly DiagnosticDescriptor UnreachableHandler = Create(
        "PR0008", "Handler cannot be wired",
        "{0} cannot be wired: {1}", DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor NotPartial = Create(
        "PR0009", "Message could be found faster",
        "{0} is not partial: a caller that sees only its interface finds the handler with a lookup instead of by its type id", DiagnosticSeverity.Info);

    internal static readonly DiagnosticDescriptor TwoResponses = Create(
        "PR0010", "Message declares two responses",
        "{0} implements IRequest<{1}> and IRequest<{2}>; a message has one response", DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor UnknownOption = Create(
        "PR0011", "Option has no such value",
        "{0} of [{1}] is {2}, which is not a {3}; the generator needs a constant that it knows", DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor TwoKinds = Create(
        "PR0012", "Message has two kinds",
        "{0} is {1} and {2}; a message is either sent, published or streamed", DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor UselessUse = Create(
        "PR0013", "Attribute names a class that cannot be used",
        "[assembly: {0}] names {1}, which cannot be used: {2}", DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor SagaNotWired = Create(
        "PR0014", "Saga cannot be wired",
        "{0} cannot be wired as a saga: {1}", DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor NoSagaId = Create(
        "PR0015", "Message does not say which saga it belongs to",
        "{0} handles {1}, which has no id of the saga: {2}", DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor SagaHandlesTwice = Create(
        "PR0016", "Saga handles a message twice",
        "{0} handles {1} in {2} and in {3}; a saga handles a message in one method", DiagnosticSeverity.Error);

    private static DiagnosticDescriptor Create(
        string id, string title, string message, DiagnosticSeverity severity, params string[] tags)
        => DescriptorFactory.Create(id, "Postrider", title, message, severity, tags);
}
