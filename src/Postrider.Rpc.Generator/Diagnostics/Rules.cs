using Microsoft.CodeAnalysis;
using Postrider.Rpc.Generator.Parsing;

namespace Postrider.Rpc.Generator.Diagnostics;

/// <summary>The diagnostics; each has a page in <c>docs/diagnostics</c>.</summary>
internal static class Rules
{
    internal static readonly DiagnosticDescriptor[] All =
    [
        Error(Rule.WrongContract, "Contract cannot be served", "{0} cannot be served: {1}"),
        Error(Rule.WrongResult, "Result cannot be sent", "{0} gives {1}; an operation gives Task, ValueTask, either of a type that can be sent, or IAsyncEnumerable of one"),
        Error(Rule.WrongParameter, "Parameter cannot be sent", "Parameter {0} of {1} cannot be sent: {2}"),
        Error(Rule.DuplicateOperation, "Operation is named twice", "Operation '{0}' of {1} is named twice: give one of the methods another name, [Operation(\"other\")] or WCF's [OperationContract(Name = \"other\")]"),
        Error(Rule.WrongOneWay, "One-way operation has an answer", "{0} is one-way: it gives Task or ValueTask without a result and streams nothing"),
        Error(Rule.WrongFault, "Fault cannot be told", "{0}: {1}"),
        Error(Rule.WrongRoute, "Route cannot be served", "{0}: {1}"),
        Error(Rule.DuplicateRoute, "Two operations have one route", "{0} and {1} are both {2}: a server cannot tell them apart"),
        Error(Rule.NotMoved, "Contract of WCF's cannot be moved as it is", "{0} cannot be moved as it is: {1}"),
        Warning(Rule.OtherBehavior, "Service is run otherwise than its attribute says", "{0} is here {1}"),
    ];

    internal static DiagnosticDescriptor Of(Rule rule) => All[(int)rule - 1];

    // Not to be suppressed: the build would pass and a part of the contract be missing.
    private static DiagnosticDescriptor Error(Rule rule, string title, string message) => Describe(rule, title, message, DiagnosticSeverity.Error);

    private static DiagnosticDescriptor Warning(Rule rule, string title, string message) => Describe(rule, title, message, DiagnosticSeverity.Warning);

    private static DiagnosticDescriptor Describe(Rule rule, string title, string message, DiagnosticSeverity severity) => new(
        $"PRR{(int)rule:000}", title, message, "Postrider.Rpc", severity, isEnabledByDefault: true,
        helpLinkUri: $"https://github.com/postrider/postrider/blob/main/docs/diagnostics/PRR{(int)rule:000}.md",
        customTags: severity == DiagnosticSeverity.Error ? [WellKnownDiagnosticTags.NotConfigurable] : []);
}
