namespace Postrider;

/// <summary>A message with a key: the entity that it is about. It travels with the message over every transport.</summary>
/// <remarks>A binding with <c>TransportBinding.OrderByKey</c> handles the messages of one key one after the other.</remarks>
public interface IKeyed
{
    /// <summary>The key; equal for messages whose order matters.</summary>
    string Key { get; }
}
