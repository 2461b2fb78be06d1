using System.Collections.Generic;
using System.Linq;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>The expression that calls a handler, and the fields that its step keeps for it.</summary>
internal sealed class HandlerCall
{
    private const string State = "_D::CallState.";

    private readonly HandlerModel _handler;
    private readonly string _response;
    private readonly bool _isNotification;
    private readonly string _singleton = "";
    private readonly string _receiver;
    private readonly string _maker = "";
    private readonly string[] _arguments;
    private readonly List<(string Type, string Name, string Value)> _fields = [];

    internal HandlerCall(EntryModel entry, HandlerModel handler, HandlerInstances instances, bool isNotification)
    {
        _handler = handler;
        _response = entry.Response;
        _isNotification = isNotification;
        var services = Services(entry, isNotification);
        _receiver = "";
        if (!handler.IsStatic)
        {
            var owner = handler.Owner;
            switch (owner.Lifetime)
            {
                case Lifetime.Singleton:
                    _singleton = instances.Singleton(owner, "root");
                    _fields.Add((owner.Full, "_handler", "module." + _singleton));
                    _receiver = "_handler";
                    break;
                default:
                    (_receiver, _maker) = HandlerInstances.PerCall(owner, owner.Full, [], "state", services, "root", "_make");
                    break;
            }
        }

        _arguments = [.. handler.Arguments.Select((argument, i) => argument.Kind switch
        {
            ArgumentKind.Message => "message",
            ArgumentKind.Cancellation => "ct",
            ArgumentKind.Context => State + "Context(state)",
            ArgumentKind.Service when argument.IsSingleton => Captured(argument, i),
            _ => HandlerInstances.Argument(argument, [], services, services, Owner),
        })];
    }

    private string Call => CallOn(_receiver);

    // For an error: the handler, and the message for which it cannot be called.
    private string Owner => $"{_handler.Owner.Display} of {_handler.Message.Display}";

    /// <summary>The expression for the scope's services inside a step.</summary>
    internal static string Services(EntryModel entry, bool isNotification)
        => isNotification ? State + "AnyServices(state)"
            : entry.NeedsContext ? State + "Context(state).Services"
            : State + "Services(state)";

    /// <summary>Writes the fields of a step; <c>module</c> and <c>root</c> are parameters of its constructor.</summary>
    internal void EmitFields(SourceWriter source)
    {
        foreach (var (type, name, value) in _fields)
            source.Line($"private readonly {type} {name} = {value};");
        EmitMaker(source);
    }

    internal void AddField(string type, string name, string value) => _fields.Add((type, name, value));

    /// <summary>The body of a method that returns the response as the pipeline's task.</summary>
    internal string AsRequest() => _handler.Shape switch
    {
        ResultShape.TaskOfValue when _isNotification => $" => {State}ToUnit((_T::Task){Call});",
        ResultShape.ValueTaskOfValue when _isNotification => $" => {State}ToUnit((_T::Task){Call}.AsTask());",
        ResultShape.Value when _isNotification => $" {{ {Call}; return default; }}",
        ResultShape.ValueTaskOfValue or ResultShape.Sequence => $" => {Call};",
        ResultShape.TaskOfValue or ResultShape.Value => $" => new _T::ValueTask<{_response}>({Call});",
        ResultShape.ValueTask or ResultShape.Task => $" => {State}ToUnit({Call});",
        _ => $" {{ {Call}; return default; }}",
    };

    /// <summary>A statement that returns the handling of a notification.</summary>
    internal string AsNotification() => AsNotification(Call);

    /// <summary>Writes the member that exposes the handler to an application's own publisher.</summary>
    internal void EmitHandler(SourceWriter source, string message, bool isAround)
    {
        if (_handler.IsStatic)
            return;

        // With middleware around it, the fields of the handler's instance belong to the inner step.
        var instance = isAround && _handler.Owner.Lifetime == Lifetime.Singleton ? "module." + _singleton : _receiver;
        if (isAround)
            EmitMaker(source);
        source.Line($"public override object Handler(object? state) => {instance};");
        if (isAround || _handler.Owner is not { Lifetime: Lifetime.Transient, IsDisposable: false })
            return;

        using (source.Block("public override _T::ValueTask InvokeOn(object handler, object notification, object? state, _C ct)"))
        {
            source.Line($"var message = {message};");
            source.Line(AsNotification(CallOn($"_R::Unsafe.As<{_handler.Owner.Full}>(handler)")));
        }
    }

    private void EmitMaker(SourceWriter source)
    {
        if (_maker.Length > 0)
            source.Line(_maker);
    }

    private string AsNotification(string call) => _handler.Shape switch
    {
        ResultShape.ValueTask => $"return {call};",
        ResultShape.Task or ResultShape.TaskOfValue => $"return new _T::ValueTask({call});",
        ResultShape.ValueTaskOfValue => $"return new _T::ValueTask({call}.AsTask());",
        _ => $"{call}; return default;",
    };

    private string CallOn(string receiver) => _handler.Call.Replace("{0}", receiver) + "(" + string.Join(", ", _arguments) + ")";

    private string Captured(ArgumentModel argument, int index)
    {
        var name = "_service" + index;
        _fields.Add((argument.Type, name, HandlerInstances.Argument(argument, [], "root", "root", Owner)));
        return name;
    }
}
