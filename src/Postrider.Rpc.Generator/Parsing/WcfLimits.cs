using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;

namespace Postrider.Rpc.Generator.Parsing;

/// <summary>Settings of WCF contracts that are not supported: each is rejected with a replacement, because ignoring it would
/// change the wire format.</summary>
internal static class WcfLimits
{
    private const string Space = "System.ServiceModel.";

    // These are WCF's numbers too.
    private const int Required = 1;
    private const int Rpc = 1;
    private const int Single = 2;
    private const int Multiple = 2;

    /// <summary>Checks the attributes of a contract.</summary>
    internal static void Check(INamedTypeSymbol contract, List<DiagnosticInfo> diagnostics)
    {
        var attribute = SymbolNames.Attribute(contract, WcfNames.Service);
        if (SymbolNames.Argument(attribute, "CallbackContract") is not null)
            Reject(contract, "it has a CallbackContract: serve the callback contract at the caller (SocketChannelOptions.Serves) and call it through the server's Peers, or return an IAsyncEnumerable", diagnostics);
        if (SymbolNames.Argument(attribute, "SessionMode") is Required)
            Reject(contract, "it has SessionMode.Required, but sessions are not supported: identify related calls by an id in a parameter or a header", diagnostics);
        Form(contract, diagnostics);
    }

    /// <summary>Checks a method.</summary>
    /// <returns>False if it is not an operation here: one of a pair of Begin and End methods.</returns>
    internal static bool Check(IMethodSymbol method, List<DiagnosticInfo> diagnostics)
    {
        var attribute = SymbolNames.Attribute(method, WcfNames.Operation);
        if (SymbolNames.Argument(attribute, "AsyncPattern") is true)
        {
            var name = Unprefixed(method, "Begin");
            Reject(method, $"it begins a call that End{name} ends (AsyncPattern): replace both by {name}Async, which returns a task and is the same on the wire", diagnostics);
            return false;
        }

        if (method.Name.StartsWith("End", System.StringComparison.Ordinal)
            && method.ContainingType.GetMembers("Begin" + Unprefixed(method, "End")).Any(m => SymbolNames.Argument(SymbolNames.Attribute(m, WcfNames.Operation), "AsyncPattern") is true))
            return false;

        if (SymbolNames.Argument(attribute, "IsInitiating") is false || SymbolNames.Argument(attribute, "IsTerminating") is true)
            Reject(method, "it begins or ends a session (IsInitiating, IsTerminating), but sessions are not supported", diagnostics);
        if (method.GetAttributes().Any(a => a.AttributeClass?.ToDisplayString() == WcfNames.Fault && (SymbolNames.Argument(a, "Name") ?? SymbolNames.Argument(a, "Namespace")) is not null))
            Reject(method, "a [FaultContract] has its own Name or Namespace: the element of the detail is that of its data contract, so set the name there", diagnostics);
        foreach (var type in method.Parameters.Select(p => p.Type).Append(method.ReturnType).Select(Sent).Distinct<ITypeSymbol>(SymbolEqualityComparer.Default).Where(t => SymbolNames.Attribute(t, Space + "MessageContractAttribute") is not null))
            Reject(method, $"{SymbolNames.Display(type)} is a [MessageContract]: make the members of its body the operation's parameters, and its headers those of a CallContext; [Bare] is for a message without a wrapping element", diagnostics);
        Form(method, diagnostics);
        return true;
    }

    /// <summary>Checks the behaviour attributes of a service.</summary>
    internal static void CheckService(INamedTypeSymbol service, List<DiagnosticInfo> diagnostics)
    {
        if (SymbolNames.Attribute(service, Space + "ServiceBehaviorAttribute") is not { } behavior)
            return;
        if (SymbolNames.Argument(behavior, "InstanceContextMode") is not Single || SymbolNames.Argument(behavior, "ConcurrencyMode") is not Multiple)
            diagnostics.Add(new(DiagnosticDescriptors.OtherBehavior, service, [SymbolNames.Display(service), "one object for all calls, many at once: if it supports that, set InstanceContextMode.Single and ConcurrencyMode.Multiple, or remove the attribute"]));
        if (SymbolNames.Argument(behavior, "IncludeExceptionDetailInFaults") is true)
            diagnostics.Add(new(DiagnosticDescriptors.OtherBehavior, service, [SymbolNames.Display(service), "a service that does not send the text of its exceptions: EnableDetailedErrors of the server's options sends it, IncludeExceptionDetailInFaults has no effect"]));
    }

    private static void Form(ISymbol symbol, List<DiagnosticInfo> diagnostics)
    {
        if (SymbolNames.Attribute(symbol, Space + "XmlSerializerFormatAttribute") is not null)
            Reject(symbol, "it has [XmlSerializerFormat], but SOAP messages are written as data contracts: make its types data contracts with the same elements, or remove the attribute and serve it to your own callers with RpcXmlSerializerCodec", diagnostics);
        if (SymbolNames.Argument(SymbolNames.Attribute(symbol, Space + "DataContractFormatAttribute"), "Style") is Rpc)
            Reject(symbol, "it has the style Rpc, but SOAP messages are document/literal", diagnostics);
    }

    private static ITypeSymbol Sent(ITypeSymbol type)
        => type is INamedTypeSymbol { TypeArguments.Length: 1 } task && SymbolNames.Definition(task) is "System.Threading.Tasks.Task" or "System.Threading.Tasks.ValueTask"
            ? ((INamedTypeSymbol)type).TypeArguments[0] : type;

    private static string Unprefixed(IMethodSymbol method, string prefix)
        => method.Name.StartsWith(prefix, System.StringComparison.Ordinal) ? method.Name.Substring(prefix.Length) : method.Name;

    private static void Reject(ISymbol at, string why, List<DiagnosticInfo> diagnostics) => diagnostics.Add(new(DiagnosticDescriptors.NotMoved, at, [SymbolNames.Display(at), why]));
}
