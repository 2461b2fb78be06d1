using System.Linq;
using Microsoft.CodeAnalysis;

namespace Postrider.Rpc.Generator.Parsing;

/// <summary>The names of the library's types, and names of types as emitted code needs them.</summary>
internal static class Names
{
    internal const string Service = "Postrider.Rpc.ServiceAttribute";
    internal const string Operation = "Postrider.Rpc.OperationAttribute";
    internal const string OneWay = "Postrider.Rpc.OneWayAttribute";
    internal const string Bare = "Postrider.Rpc.BareAttribute";
    internal const string Idempotent = "Postrider.Rpc.IdempotentAttribute";
    internal const string Fault = "Postrider.Rpc.FaultAttribute";
    internal const string File = "Postrider.Rpc.RpcFile";
    internal const string Exception = "Postrider.Rpc.RpcException";
    internal const string Context = "Postrider.Rpc.CallContext";

    internal static string Full(ITypeSymbol type) => type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);

    internal static string Display(ISymbol symbol) => symbol.ToDisplayString(SymbolDisplayFormat.CSharpErrorMessageFormat);

    internal static AttributeData Attribute(ISymbol symbol, string name)
        => symbol.GetAttributes().FirstOrDefault(a => a.AttributeClass?.ToDisplayString() == name);

    internal static object Argument(AttributeData attribute, string name)
        => attribute?.NamedArguments.FirstOrDefault(a => a.Key == name).Value.Value;

    /// <summary>The name of a type's definition without its type parameters: <c>System.Threading.Tasks.Task</c>.</summary>
    internal static string Definition(ITypeSymbol type)
        => type.ContainingNamespace is { IsGlobalNamespace: false } space ? $"{space.ToDisplayString()}.{type.Name}" : type.Name;

    internal static string Escape(string name)
        => Microsoft.CodeAnalysis.CSharp.SyntaxFacts.GetKeywordKind(name) != Microsoft.CodeAnalysis.CSharp.SyntaxKind.None ? "@" + name : name;
}
