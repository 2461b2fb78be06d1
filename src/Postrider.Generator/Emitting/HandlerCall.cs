using System.Collections.Generic;
using System.Linq;
using Postrider.Generator.Model;

namespace Postrider.Generator.Emitting;

/// <summary>The expression that calls a handler, and the fields that its step keeps for it.</summary>
internal sealed class HandlerCall
{
    private const string State = "_D::CallState.";

    private readonly HandlerModel _handler;
    private readonly string _response;
    private readonly bool _isNotification;
    private readonly string _call;
    private readonly List<(string Type, string Name, string Value)> _fields = [];

    internal HandlerCall(EntryModel entry, HandlerModel handler, HandlerInstances instances, bool isNotification)
    {
        _handler = handler;
        _response = entry.Response;
        _isNotification = isNotification;
        var services = Services(entry, isNotification);
        var receiver = "";
        if (!handler.IsStatic)
        {
            var owner = handler.Owner;
            switch (owner.Lifetime)
            {
                case Lifetime.Singleton:
                    _fields.Add((owner.Full, "_handler", "module." + instances.Singleton(owner, "root")));
                    receiver = "_handler";
                    break;
                case Lifetime.Transient when !owner.IsDisposable:
                    receiver = HandlerInstances.New(owner, owner.Full, [], services, "root");
                    break;
                default:
                    receiver = HandlerInstances.Resolve(owner.Full, services);
                    break;
            }
        }

        var arguments = handler.Arguments.Select((argument, i) => argument.Kind switch
        {
            ArgumentKind.Message => "message",
            ArgumentKind.Cancellation => "ct",
            ArgumentKind.Context => State + "Context(state)",
            ArgumentKind.Service when argument.IsSingleton => Captured(argument, i),
            _ => HandlerInstances.Argument(argument, [], services, services),
        });
        _call = handler.Call.Replace("{0}", receiver) + "(" + string.Join(", ", arguments) + ")";
    }

    /// <summary>The expression for the scope's services inside a step.</summary>
    internal static string Services(EntryModel entry, bool isNotification)
        => isNotification ? State + "AnyServices(state)"
            : entry.NeedsContext ? State + "Context(state).Services"
            : State + "Services(state)";

    /// <summary>Writes what a step keeps; <c>module</c> and <c>root</c> are parameters of its constructor.</summary>
    internal void EmitFields(Source source)
    {
        foreach (var (type, name, value) in _fields)
            source.Line($"private readonly {type} {name} = {value};");
    }

    internal void AddField(string type, string name, string value) => _fields.Add((type, name, value));

    /// <summary>The body of a method that returns the response as the pipeline's task.</summary>
    internal string AsRequest() => _handler.Shape switch
    {
        ResultShape.TaskOfValue when _isNotification => $" => {State}ToUnit((_T::Task){_call});",
        ResultShape.ValueTaskOfValue when _isNotification => $" => {State}ToUnit((_T::Task){_call}.AsTask());",
        ResultShape.Value when _isNotification => $" {{ {_call}; return default; }}",
        ResultShape.ValueTaskOfValue or ResultShape.Sequence => $" => {_call};",
        ResultShape.TaskOfValue or ResultShape.Value => $" => new _T::ValueTask<{_response}>({_call});",
        ResultShape.ValueTask or ResultShape.Task => $" => {State}ToUnit({_call});",
        _ => $" {{ {_call}; return default; }}",
    };

    /// <summary>A statement that returns the handling of a notification.</summary>
    internal string AsNotification() => _handler.Shape switch
    {
        ResultShape.ValueTask => $"return {_call};",
        ResultShape.Task or ResultShape.TaskOfValue => $"return new _T::ValueTask({_call});",
        ResultShape.ValueTaskOfValue => $"return new _T::ValueTask({_call}.AsTask());",
        _ => $"{_call}; return default;",
    };

    private string Captured(ArgumentModel argument, int index)
    {
        var name = "_service" + index;
        _fields.Add((argument.Type, name, HandlerInstances.Argument(argument, [], "root", "root")));
        return name;
    }
}
