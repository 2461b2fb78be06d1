using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Generators;
using Postrider.Rpc.Generator.Model;

namespace Postrider.Rpc.Generator.Parsing;

/// <summary>Reads a method of a contract.</summary>
internal static class OperationReader
{
    internal static OperationModel Read(IMethodSymbol method, INamedTypeSymbol service, bool isWcf, List<DiagnosticInfo> diagnostics)
    {
        if (method.IsGenericMethod)
            diagnostics.Add(new(DiagnosticDescriptors.WrongContract, method, [SymbolNames.Display(method), "it is generic"]));

        var wcf = isWcf ? SymbolNames.Attribute(method, WcfNames.Operation) : null;
        if (isWcf && wcf is null)
            diagnostics.Add(new(DiagnosticDescriptors.WrongContract, method, [SymbolNames.Display(method), "it has no [OperationContract]"]));

        var (shape, result) = Result(method, isWcf, diagnostics);
        var isOneWay = SymbolNames.Attribute(method, KnownNames.OneWay) is not null || SymbolNames.Argument(wcf, "IsOneWay") is true;
        var canPassBack = isWcf && !isOneWay && (shape is ReturnShape.Nothing or ReturnShape.Value);
        var parameters = method.Parameters.Select(p => Parameter(p, canPassBack, diagnostics)).ToList();
        foreach (var role in new[] { ParameterRole.Items, ParameterRole.Context, ParameterRole.Token })
        {
            if (parameters.Count(p => p.Role == role) > 1)
                Reject(method.Parameters[parameters.FindLastIndex(p => p.Role == role)], "there is already a parameter of its kind", diagnostics);
        }

        var isUpload = parameters.Any(p => p.Role == ParameterRole.Items);
        if (isOneWay && (isUpload || shape is not (ReturnShape.Task or ReturnShape.ValueTask or ReturnShape.Nothing)))
            diagnostics.Add(new(DiagnosticDescriptors.WrongOneWay, method, [SymbolNames.Display(method)]));

        var kind = isOneWay ? "OneWay" : shape == ReturnShape.Stream ? (isUpload ? "Duplex" : "ServerStream") : isUpload ? "ClientStream" : "Unary";
        var name = SymbolNames.Attribute(method, KnownNames.Operation)?.ConstructorArguments.FirstOrDefault().Value as string ?? SymbolNames.Argument(wcf, "Name") as string
            ?? (shape is not (ReturnShape.Nothing or ReturnShape.Value) && method.Name.Length > 5 && method.Name.EndsWith("Async", System.StringComparison.Ordinal) ? method.Name.Substring(0, method.Name.Length - 5) : method.Name);
        return new(SymbolNames.Escape(method.Name), name, kind, shape, result, new(parameters), new(Faults(method, service, diagnostics)),
            SymbolNames.Attribute(method, KnownNames.Idempotent) is not null, SymbolNames.Argument(wcf, "Action") as string ?? "", SymbolNames.Argument(wcf, "ReplyAction") as string ?? "",
            Dispatch(method.Parameters.Where((_, i) => parameters[i].Role != ParameterRole.Token).ToList(), kind, result),
            RouteReader.Read(method, service, parameters, name, diagnostics), new(MetadataReader.Read(method, service)), IsBare(method, parameters, diagnostics), ResultName: ResultName(method));
    }

    private static bool IsBare(IMethodSymbol method, List<ParameterModel> parameters, List<DiagnosticInfo> diagnostics)
    {
        if (SymbolNames.Attribute(method, KnownNames.Bare) is null)
            return false;
        if (parameters.Count(p => p.Role == ParameterRole.Message) > 1 || parameters.Any(p => p.Passing.Length > 0))
            diagnostics.Add(new(DiagnosticDescriptors.WrongContract, method, [SymbolNames.Display(method), "it is [Bare], so its body has room for one parameter and the result only"]));
        return true;
    }

    // Only a dispatcher message whose response is the operation's result: calls of the dispatcher cannot carry headers.
    private static string Dispatch(List<IParameterSymbol> parameters, string kind, string result)
    {
        if (parameters.Count != 1 || parameters[0].RefKind != RefKind.None)
            return "";
        var markers = parameters[0].Type.AllInterfaces;
        var isNothing = result == OperationModel.Unit;
        return kind == "ServerStream" ? (Has(DispatcherNames.StreamRequest, result) ? "StreamAsync" : "")
            : isNothing && markers.Any(m => m.ToDisplayString() == DispatcherNames.Notification) ? "PublishAsync"
            : isNothing && markers.Any(m => m.ToDisplayString() == DispatcherNames.Command) ? "SendAsync"
            : kind == "Unary" && Has(DispatcherNames.Request, result) ? "SendAsync" : "";

        bool Has(string marker, string answer)
            => markers.Any(m => m.TypeArguments.Length == 1 && SymbolNames.Definition(m) == marker && SymbolNames.Full(m.TypeArguments[0]) == answer);
    }

    private static (ReturnShape Shape, string Result) Result(IMethodSymbol method, bool isWcf, List<DiagnosticInfo> diagnostics)
    {
        if (isWcf && method.ReturnsVoid)
            return (ReturnShape.Nothing, OperationModel.Unit);
        if (method.ReturnType is INamedTypeSymbol type && !method.ReturnsByRef && !method.ReturnsByRefReadonly)
        {
            var definition = SymbolNames.Definition(type);
            var argument = type.TypeArguments.Length == 1 ? type.TypeArguments[0] : null;
            if (argument is null || CanBeSent(argument))
            {
                switch (definition)
                {
                    case "System.Threading.Tasks.ValueTask":
                        return argument is null ? (ReturnShape.ValueTask, OperationModel.Unit) : (ReturnShape.ValueTaskOfValue, SymbolNames.Full(argument));
                    case "System.Threading.Tasks.Task":
                        return argument is null ? (ReturnShape.Task, OperationModel.Unit) : (ReturnShape.TaskOfValue, SymbolNames.Full(argument));
                    case "System.Collections.Generic.IAsyncEnumerable" when argument is not null:
                        return (ReturnShape.Stream, SymbolNames.Full(argument));
                }
            }
        }

        if (isWcf && CanBeSent(method.ReturnType) && !method.ReturnsByRef && !method.ReturnsByRefReadonly)
            return (ReturnShape.Value, SymbolNames.Full(method.ReturnType));
        diagnostics.Add(new(DiagnosticDescriptors.WrongResult, method, [SymbolNames.Display(method), SymbolNames.Display(method.ReturnType)]));
        return (ReturnShape.ValueTask, OperationModel.Unit);
    }

    private static ParameterModel Parameter(IParameterSymbol parameter, bool canPassBack, List<DiagnosticInfo> diagnostics)
    {
        var type = parameter.Type;
        var role = ParameterRole.Message;
        var full = SymbolNames.Full(type);
        if (parameter.RefKind is RefKind.Ref or RefKind.Out && canPassBack && CanBeSent(type))
            return new(SymbolNames.Escape(parameter.Name), WireName(parameter), full, parameter.RefKind == RefKind.Out ? ParameterRole.Out : ParameterRole.Message, "", parameter.RefKind == RefKind.Ref);
        if (parameter.RefKind != RefKind.None)
            Reject(parameter, "it is passed by reference", diagnostics);
        else if (SymbolNames.Definition(type) == "System.Threading.CancellationToken")
            role = ParameterRole.Token;
        else if (type.ToDisplayString(NullableFlowState.None) == KnownNames.Context)
            role = ParameterRole.Context;
        else if (type is INamedTypeSymbol { TypeArguments.Length: 1 } stream && SymbolNames.Definition(type) == "System.Collections.Generic.IAsyncEnumerable")
            (role, full) = (ParameterRole.Items, SymbolNames.Full(stream.TypeArguments[0]));
        else if (!CanBeSent(type) || SymbolNames.Definition(type) == KnownNames.File)
            Reject(parameter, $"a {SymbolNames.Display(type)} cannot be sent", diagnostics);
        var isNullable = type.NullableAnnotation == NullableAnnotation.Annotated || type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;
        return new(SymbolNames.Escape(parameter.Name), WireName(parameter), full, role, Default(parameter), IsNullable: isNullable);
    }

    private static string WireName(IParameterSymbol parameter) => SymbolNames.Argument(SymbolNames.Attribute(parameter, WcfNames.MessageParameter), "Name") as string ?? parameter.Name;

    private static string ResultName(IMethodSymbol method)
        => SymbolNames.Argument(method.GetReturnTypeAttributes().FirstOrDefault(a => a.AttributeClass?.ToDisplayString() == WcfNames.MessageParameter), "Name") as string ?? "";

    private static bool CanBeSent(ITypeSymbol type)
        => !type.IsRefLikeType && type.TypeKind is not (TypeKind.Pointer or TypeKind.FunctionPointer or TypeKind.Delegate or TypeKind.TypeParameter or TypeKind.Dynamic)
        && type.SpecialType != SpecialType.System_Object
        && SymbolNames.Definition(type) is not ("System.Threading.Tasks.Task" or "System.Threading.Tasks.ValueTask" or "System.Collections.Generic.IAsyncEnumerable" or "System.Threading.CancellationToken");

    private static string Default(IParameterSymbol parameter)
    {
        if (!parameter.HasExplicitDefaultValue)
            return "";
        if (parameter.ExplicitDefaultValue is not { } value)
            return "default";
        var text = SymbolDisplay.FormatPrimitive(value, quoteStrings: true, useHexadecimalNumbers: false);

        // The constant has the type itself, not the nullable type.
        var type = parameter.Type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable ? nullable.TypeArguments[0] : parameter.Type;
        return value is string ? text : $"({SymbolNames.Full(type)})({text})";
    }

    private static List<string> Faults(IMethodSymbol method, INamedTypeSymbol service, List<DiagnosticInfo> diagnostics)
    {
        var faults = new List<INamedTypeSymbol>();
        foreach (var attribute in method.GetAttributes().Concat(service.GetAttributes()).Where(a => a.AttributeClass?.ToDisplayString() is KnownNames.Fault or WcfNames.Fault))
        {
            if (attribute.ConstructorArguments.FirstOrDefault().Value is not INamedTypeSymbol { IsUnboundGenericType: false, TypeArguments.Length: 0 } detail)
                diagnostics.Add(new(DiagnosticDescriptors.WrongFault, method, [SymbolNames.Display(method), "the detail of a fault must be a type that is not generic"]));
            else if (faults.Any(f => f.Name == detail.Name && !SymbolEqualityComparer.Default.Equals(f, detail)))
                diagnostics.Add(new(DiagnosticDescriptors.WrongFault, method, [SymbolNames.Display(method), $"two faults have the name {detail.Name}"]));
            else if (!faults.Contains(detail, SymbolEqualityComparer.Default))
                faults.Add(detail);
        }

        return faults.Select(f => SymbolNames.Full(f)).ToList();
    }

    private static void Reject(IParameterSymbol parameter, string why, List<DiagnosticInfo> diagnostics)
        => diagnostics.Add(new(DiagnosticDescriptors.WrongParameter, parameter, [parameter.Name, SymbolNames.Display(parameter.ContainingSymbol), why]));
}
