namespace Postrider.Rpc.Generator.Parsing;

/// <summary>The names of the dispatcher's messages, without type parameters.</summary>
internal static class DispatcherNames
{
    internal const string Request = "Postrider.IRequest";
    internal const string StreamRequest = "Postrider.IStreamRequest";
    internal const string Command = "Postrider.ICommand";
    internal const string Notification = "Postrider.INotification";
}
