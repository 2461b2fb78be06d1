using Microsoft.CodeAnalysis;
using Postrider.Generators;

namespace Postrider.Rpc.Generator.Parsing;

/// <summary>The diagnostics of contracts.</summary>
internal static class DiagnosticDescriptors
{
    internal static readonly DiagnosticDescriptor WrongContract = Error(1, "Contract cannot be served", "{0} cannot be served: {1}");

    internal static readonly DiagnosticDescriptor WrongResult = Error(
        2, "Result cannot be sent",
        "{0} returns {1}; an operation returns Task, ValueTask, either of them with a type that can be sent, or IAsyncEnumerable of one");

    internal static readonly DiagnosticDescriptor WrongParameter = Error(3, "Parameter cannot be sent", "Parameter {0} of {1} cannot be sent: {2}");

    internal static readonly DiagnosticDescriptor DuplicateOperation = Error(
        4, "Operation name is used twice",
        "Operation name '{0}' of {1} is used twice: rename one of the methods with [Operation(\"other\")] or WCF's [OperationContract(Name = \"other\")]");

    internal static readonly DiagnosticDescriptor WrongOneWay = Error(
        5, "One-way operation has a result", "{0} is one-way: it must return Task or ValueTask without a result, and must not stream");

    internal static readonly DiagnosticDescriptor WrongFault = Error(6, "Fault cannot be sent", "{0}: {1}");

    internal static readonly DiagnosticDescriptor WrongRoute = Error(7, "Route cannot be served", "{0}: {1}");

    internal static readonly DiagnosticDescriptor DuplicateRoute = Error(
        8, "Two operations have the same route", "{0} and {1} are both {2}: a server cannot tell them apart");

    internal static readonly DiagnosticDescriptor NotMoved = Error(
        9, "WCF contract cannot be used unchanged", "{0} cannot be used unchanged: {1}");

    internal static readonly DiagnosticDescriptor OtherBehavior = DescriptorFactory.Create(
        "PRR010", Category, "Service behaves differently from its attribute", "{0} is run here as {1}", DiagnosticSeverity.Warning);

    internal static readonly DiagnosticDescriptor[] All =
        [WrongContract, WrongResult, WrongParameter, DuplicateOperation, WrongOneWay, WrongFault, WrongRoute, DuplicateRoute, NotMoved, OtherBehavior];

    private const string Category = "Postrider.Rpc";

    private static DiagnosticDescriptor Error(int number, string title, string message)
        => DescriptorFactory.FixedError($"PRR{number:000}", Category, title, message);
}
