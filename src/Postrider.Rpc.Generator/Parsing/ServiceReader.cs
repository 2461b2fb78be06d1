using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.Rpc.Generator.Model;

namespace Postrider.Rpc.Generator.Parsing;

/// <summary>Reads a contract.</summary>
internal static class ServiceReader
{
    private static readonly System.TimeSpan s_patience = System.TimeSpan.FromSeconds(1);

    // The characters that a URL segment, a subject token and a NATS service name have in common.
    private static readonly Regex s_wireName = new("^[A-Za-z0-9_-]+$", RegexOptions.None, s_patience);

    private static readonly Regex s_version = new(@"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$", RegexOptions.ExplicitCapture, s_patience);

    /// <summary>Whether an interface is a contract by deriving from the marker.</summary>
    internal static bool IsMarked(INamedTypeSymbol type) => type.Interfaces.Any(i => i.ToDisplayString() == RouteNames.Marker);

    /// <summary>The contract, or null if it is invalid: the diagnostics give the reason.</summary>
    internal static ServiceModel? Read(INamedTypeSymbol type, List<DiagnosticInfo> diagnostics, CancellationToken ct)
    {
        var wcf = SymbolNames.Attribute(type, WcfNames.Service);
        var attribute = SymbolNames.Attribute(type, KnownNames.Service) ?? wcf;
        var isWcf = wcf is not null && attribute == wcf;
        var name = Generated(type.Name);
        var wireName = isWcf ? SymbolNames.Argument(attribute, "Name") as string ?? type.Name : attribute?.ConstructorArguments.FirstOrDefault().Value as string ?? name;
        var version = attribute?.NamedArguments.FirstOrDefault(a => a.Key == "Version").Value.Value as string ?? "1.0.0";
        if (FindFault(type, isWcf, wireName, version) is { } fault)
            diagnostics.Add(new(DiagnosticDescriptors.WrongContract, type, [SymbolNames.Display(type), fault]));

        foreach (var contract in type.AllInterfaces.Where(IsContract).Append(type))
            WcfLimits.Check(contract, diagnostics);
        var operations = new List<OperationModel>();
        foreach (var member in type.AllInterfaces.Where(IsContract).Append(type).SelectMany(t => t.GetMembers()))
        {
            ct.ThrowIfCancellationRequested();
            if (member is IMethodSymbol { MethodKind: MethodKind.Ordinary, IsStatic: false, IsAbstract: true } method)
            {
                if (isWcf && !WcfLimits.Check(method, diagnostics))
                    continue;
                var operation = OperationReader.Read(method, method.ContainingType, isWcf, diagnostics);
                if (isWcf && !SymbolEqualityComparer.Default.Equals(method.ContainingType, type))
                    operation = Inherited(operation, method.ContainingType);
                if (operations.Any(o => o.WireName == operation.WireName))
                    diagnostics.Add(new(DiagnosticDescriptors.DuplicateOperation, method, [operation.WireName, SymbolNames.Display(type)]));
                if (!s_wireName.IsMatch(operation.WireName))
                    diagnostics.Add(new(DiagnosticDescriptors.WrongContract, method, [SymbolNames.Display(method), $"operation name '{operation.WireName}' may only contain letters, digits, '-' and '_'"]));
                if (operations.FirstOrDefault(o => Shape(o, wireName) == Shape(operation, wireName) && o.WireName != operation.WireName) is { } same)
                    diagnostics.Add(new(DiagnosticDescriptors.DuplicateRoute, method, [same.Method, operation.Method, Shape(operation, wireName)]));
                operations.Add(operation);
            }
            else if (member.IsAbstract && member is not IMethodSymbol { MethodKind: not MethodKind.Ordinary })
            {
                diagnostics.Add(new(DiagnosticDescriptors.WrongContract, member, [SymbolNames.Display(member), "a contract may only have methods"]));
            }
        }

        return diagnostics.Count > 0 ? null : new(
            type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.ToDisplayString(),
            SymbolNames.Full(type), name, type.DeclaredAccessibility == Accessibility.Public ? "public" : "internal", wireName, version,
            SymbolNames.Argument(attribute, "Namespace") as string ?? "", isWcf, new(operations), type.AllInterfaces.Any(IsDisposable),
            wcf?.AttributeClass?.ContainingAssembly.GetTypeByMetadataName(WcfNames.FaultException)?.BaseType?.ToDisplayString() == KnownNames.Exception);
    }

    // The prefix of the generated types' names.
    private static string Generated(string name)
        => name.Length > 1 && name[0] == 'I' && char.IsUpper(name[1]) ? name.Substring(1) : name;

    // A contract next to this one, such as IOrders and Orders, for which types of the same names would be generated.
    private static INamedTypeSymbol? Namesake(INamedTypeSymbol type)
    {
        var generated = Generated(type.Name);
        var other = generated == type.Name ? "I" + generated : generated;
        return Generated(other) != generated ? null
            : type.ContainingNamespace.GetTypeMembers(other).FirstOrDefault(t => t.TypeKind == TypeKind.Interface && (IsContract(t) || IsMarked(t)));
    }

    private static string Shape(OperationModel operation, string service)
        => operation.Route?.Shape ?? $"POST {$"/{service}/{operation.WireName}".ToLowerInvariant()}";

    private static bool IsContract(INamedTypeSymbol type)
        => type.TypeParameters.Length == 0 && (SymbolNames.Attribute(type, KnownNames.Service) ?? SymbolNames.Attribute(type, WcfNames.Service)) is not null;

    // WCF contracts often derive from it to close their channels.
    private static bool IsDisposable(INamedTypeSymbol type) => type.SpecialType == SpecialType.System_IDisposable;

    // Operations inherited from a WCF contract keep the name and the namespace of the contract that declares them.
    private static OperationModel Inherited(OperationModel operation, INamedTypeSymbol from)
    {
        var attribute = SymbolNames.Attribute(from, WcfNames.Service);
        return operation with
        {
            Contract = SymbolNames.Argument(attribute, "Name") as string ?? from.Name,
            XmlNamespace = SymbolNames.Argument(attribute, "Namespace") as string ?? "http://tempuri.org/",
        };
    }

    private static string? FindFault(INamedTypeSymbol type, bool isWcf, string wireName, string version)
        => type.TypeParameters.Length > 0 ? "it is generic"
        : type.ContainingType is not null ? "it is nested in another type"
        : type.IsFileLocal ? "it is local to its file, and generated code is in another one: make it internal"
        : Namesake(type) is { } other ? $"it and {SymbolNames.Display(other)} would both get a client class {Generated(type.Name)}Client: rename one of them"
        : type.AllInterfaces.FirstOrDefault(i => !IsContract(i) && i.ToDisplayString() != RouteNames.Marker && !(isWcf && IsDisposable(i))) is { } from ? $"it derives from {SymbolNames.Display(from)}, which is not a contract"
        : !s_wireName.IsMatch(wireName) ? $"service name '{wireName}' may only contain letters, digits, '-' and '_'"
        : !s_version.IsMatch(version) ? $"version '{version}' does not have the form 1.2.3"
        : null;
}
