using System.Collections.Generic;
using System.Linq;

namespace Postrider.Generator.Model;

/// <summary>A handler class with one type parameter, which is the notification that it handles.</summary>
/// <param name="Owner">The class, with <c>{0}</c> for its type argument.</param>
/// <param name="Definition">The class without a type argument, as emitted code names it.</param>
/// <param name="Contract">The interface with <c>{0}</c> for its type argument if the method can only be called through it, or empty.</param>
/// <param name="Shape">How the result is returned.</param>
/// <param name="Order">Among the handlers of one notification.</param>
/// <param name="Parameter">The constraints.</param>
internal sealed record OpenHandlerModel(
    InstanceModel Owner, string Definition, string Contract, ResultShape Shape, int Order, TypeParameterModel Parameter)
{
    /// <summary>The handlers of those notifications that the constraints allow.</summary>
    internal IEnumerable<HandlerModel> Close(IEnumerable<NotificationModel> notifications)
        => notifications.Where(Fits).Select(Close);

    private bool Fits(NotificationModel notification)
        => Parameter.Types.All(type => notification.Type.Bases.Contains(Fill(type, notification)));

    private HandlerModel Close(NotificationModel notification) => new(
        notification.Type,
        MessageKind.Notification,
        IsMarked: true,
        "",
        new([""]),
        Owner with
        {
            Full = Fill(Owner.Full, notification),
            Display = Owner.Display.Substring(0, Owner.Display.LastIndexOf('<')) + "<" + notification.Type.Display + ">",
            Constructor = new(Owner.Constructor.Select(argument => argument with { Type = Fill(argument.Type, notification) })),
        },
        IsStatic: false,
        Contract.Length == 0 ? "{0}.Handle" : "((" + Fill(Contract, notification) + "){0}).Handle",
        new([ArgumentModel.Of(ArgumentKind.Message), ArgumentModel.Of(ArgumentKind.Cancellation)]),
        Shape,
        Order,
        notification.Strategy,
        Definition);

    private static string Fill(string template, NotificationModel notification) => MiddlewareFit.Fill(template, [notification.Type.Full]);
}
