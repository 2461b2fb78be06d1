using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Rpc.Generator.Model;

namespace Postrider.Rpc.Generator.Parsing;

/// <summary>Reads a method of a contract.</summary>
internal static class OperationReader
{
    internal static OperationModel Read(IMethodSymbol method, INamedTypeSymbol service, bool isWcf, List<Problem> problems)
    {
        if (method.IsGenericMethod)
            problems.Add(new(Rule.WrongContract, method, [Names.Display(method), "it is generic"]));

        var wcf = isWcf ? Names.Attribute(method, WcfNames.Operation) : null;
        if (isWcf && wcf is null)
            problems.Add(new(Rule.WrongContract, method, [Names.Display(method), "it has no [OperationContract]"]));

        var (shape, result) = Result(method, isWcf, problems);
        var isOneWay = Names.Attribute(method, Names.OneWay) is not null || Names.Argument(wcf, "IsOneWay") is true;
        var canPassBack = isWcf && !isOneWay && (shape is ReturnShape.Nothing or ReturnShape.Value);
        var parameters = method.Parameters.Select(p => Parameter(p, canPassBack, problems)).ToList();
        foreach (var role in new[] { ParameterRole.Items, ParameterRole.Context, ParameterRole.Token })
        {
            if (parameters.Count(p => p.Role == role) > 1)
                Refuse(method.Parameters[parameters.FindLastIndex(p => p.Role == role)], "there is another of its kind", problems);
        }

        var isUpload = parameters.Any(p => p.Role == ParameterRole.Items);
        if (isOneWay && (isUpload || shape is not (ReturnShape.Task or ReturnShape.ValueTask or ReturnShape.Nothing)))
            problems.Add(new(Rule.WrongOneWay, method, [Names.Display(method)]));

        var kind = isOneWay ? "OneWay" : shape == ReturnShape.Stream ? (isUpload ? "Duplex" : "ServerStream") : isUpload ? "ClientStream" : "Unary";
        var name = Names.Attribute(method, Names.Operation)?.ConstructorArguments.FirstOrDefault().Value as string ?? Names.Argument(wcf, "Name") as string
            ?? (shape is not (ReturnShape.Nothing or ReturnShape.Value) && method.Name.Length > 5 && method.Name.EndsWith("Async", System.StringComparison.Ordinal) ? method.Name.Substring(0, method.Name.Length - 5) : method.Name);
        return new(Names.Escape(method.Name), name, kind, shape, result, new(parameters), new(Faults(method, service, problems)),
            Names.Attribute(method, Names.Idempotent) is not null, Names.Argument(wcf, "Action") as string ?? "", Names.Argument(wcf, "ReplyAction") as string ?? "",
            Dispatch(method.Parameters.Where((_, i) => parameters[i].Role != ParameterRole.Token).ToList(), kind, result),
            RouteReader.Read(method, service, parameters, name, problems), new(MetadataReader.Read(method, service)), IsBare(method, parameters, problems), ResultName: ResultName(method));
    }

    private static bool IsBare(IMethodSymbol method, List<ParameterModel> parameters, List<Problem> problems)
    {
        if (Names.Attribute(method, Names.Bare) is null)
            return false;
        if (parameters.Count(p => p.Role == ParameterRole.Message) > 1 || parameters.Any(p => p.Passing.Length > 0))
            problems.Add(new(Rule.WrongContract, method, [Names.Display(method), "it is [Bare]: one parameter and the result are all that a body has room for"]));
        return true;
    }

    // A message of the dispatcher alone, whose answer is the operation's: headers have no place in the dispatcher's calls.
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
            => markers.Any(m => m.TypeArguments.Length == 1 && Names.Definition(m) == marker && Names.Full(m.TypeArguments[0]) == answer);
    }

    private static (ReturnShape Shape, string Result) Result(IMethodSymbol method, bool isWcf, List<Problem> problems)
    {
        if (isWcf && method.ReturnsVoid)
            return (ReturnShape.Nothing, OperationModel.Unit);
        if (method.ReturnType is INamedTypeSymbol type && !method.ReturnsByRef && !method.ReturnsByRefReadonly)
        {
            var definition = Names.Definition(type);
            var argument = type.TypeArguments.Length == 1 ? type.TypeArguments[0] : null;
            if (argument is null || CanBeSent(argument))
            {
                switch (definition)
                {
                    case "System.Threading.Tasks.ValueTask":
                        return argument is null ? (ReturnShape.ValueTask, OperationModel.Unit) : (ReturnShape.ValueTaskOfValue, Names.Full(argument));
                    case "System.Threading.Tasks.Task":
                        return argument is null ? (ReturnShape.Task, OperationModel.Unit) : (ReturnShape.TaskOfValue, Names.Full(argument));
                    case "System.Collections.Generic.IAsyncEnumerable":
                        return (ReturnShape.Stream, Names.Full(argument));
                }
            }
        }

        if (isWcf && CanBeSent(method.ReturnType) && !method.ReturnsByRef && !method.ReturnsByRefReadonly)
            return (ReturnShape.Value, Names.Full(method.ReturnType));
        problems.Add(new(Rule.WrongResult, method, [Names.Display(method), Names.Display(method.ReturnType)]));
        return (ReturnShape.ValueTask, OperationModel.Unit);
    }

    private static ParameterModel Parameter(IParameterSymbol parameter, bool canPassBack, List<Problem> problems)
    {
        var type = parameter.Type;
        var role = ParameterRole.Message;
        var full = Names.Full(type);
        if (parameter.RefKind is RefKind.Ref or RefKind.Out && canPassBack && CanBeSent(type))
            return new(Names.Escape(parameter.Name), WireName(parameter), full, parameter.RefKind == RefKind.Out ? ParameterRole.Out : ParameterRole.Message, "", parameter.RefKind == RefKind.Ref);
        if (parameter.RefKind != RefKind.None)
            Refuse(parameter, "it is passed by reference", problems);
        else if (Names.Definition(type) == "System.Threading.CancellationToken")
            role = ParameterRole.Token;
        else if (type.ToDisplayString(NullableFlowState.None) == Names.Context)
            role = ParameterRole.Context;
        else if (type is INamedTypeSymbol { TypeArguments.Length: 1 } stream && Names.Definition(type) == "System.Collections.Generic.IAsyncEnumerable")
            (role, full) = (ParameterRole.Items, Names.Full(stream.TypeArguments[0]));
        else if (!CanBeSent(type) || Names.Definition(type) == Names.File)
            Refuse(parameter, $"a {Names.Display(type)} cannot be sent", problems);
        var isNullable = type.NullableAnnotation == NullableAnnotation.Annotated || type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;
        return new(Names.Escape(parameter.Name), WireName(parameter), full, role, Default(parameter), IsNullable: isNullable);
    }

    private static string WireName(IParameterSymbol parameter) => Names.Argument(Names.Attribute(parameter, WcfNames.MessageParameter), "Name") as string ?? parameter.Name;

    private static string ResultName(IMethodSymbol method)
        => Names.Argument(method.GetReturnTypeAttributes().FirstOrDefault(a => a.AttributeClass?.ToDisplayString() == WcfNames.MessageParameter), "Name") as string ?? "";

    private static bool CanBeSent(ITypeSymbol type)
        => !type.IsRefLikeType && type.TypeKind is not (TypeKind.Pointer or TypeKind.FunctionPointer or TypeKind.Delegate or TypeKind.TypeParameter or TypeKind.Dynamic)
        && type.SpecialType != SpecialType.System_Object
        && Names.Definition(type) is not ("System.Threading.Tasks.Task" or "System.Threading.Tasks.ValueTask" or "System.Collections.Generic.IAsyncEnumerable" or "System.Threading.CancellationToken");

    private static string Default(IParameterSymbol parameter)
    {
        if (!parameter.HasExplicitDefaultValue)
            return "";
        if (parameter.ExplicitDefaultValue is not { } value)
            return "default";
        var text = SymbolDisplay.FormatPrimitive(value, quoteStrings: true, useHexadecimalNumbers: false);

        // A constant is of the type itself, not of the one that may be null.
        var type = parameter.Type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable ? nullable.TypeArguments[0] : parameter.Type;
        return value is string ? text : $"({Names.Full(type)})({text})";
    }

    private static List<string> Faults(IMethodSymbol method, INamedTypeSymbol service, List<Problem> problems)
    {
        var faults = new List<INamedTypeSymbol>();
        foreach (var attribute in method.GetAttributes().Concat(service.GetAttributes()).Where(a => a.AttributeClass?.ToDisplayString() is Names.Fault or WcfNames.Fault))
        {
            if (attribute.ConstructorArguments.FirstOrDefault().Value is not INamedTypeSymbol { IsUnboundGenericType: false, TypeArguments.Length: 0 } detail)
                problems.Add(new(Rule.WrongFault, method, [Names.Display(method), "a fault's detail is a type that is not generic"]));
            else if (faults.Any(f => f.Name == detail.Name && !SymbolEqualityComparer.Default.Equals(f, detail)))
                problems.Add(new(Rule.WrongFault, method, [Names.Display(method), $"two faults are called {detail.Name}"]));
            else if (!faults.Contains(detail, SymbolEqualityComparer.Default))
                faults.Add(detail);
        }

        return faults.Select(f => Names.Full(f)).ToList();
    }

    private static void Refuse(IParameterSymbol parameter, string why, List<Problem> problems)
        => problems.Add(new(Rule.WrongParameter, parameter, [parameter.Name, Names.Display(parameter.ContainingSymbol), why]));
}
