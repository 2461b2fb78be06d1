namespace Postrider;

/// <summary>A message with a key: the entity that it is about. It travels with the message over every transport.</summary>
/// <remarks>A binding with <c>TransportBinding.OrderByKey</c> handles the messages of one key in sequence.</remarks>
public interface IKeyed
{
    /// <summary>The key; equal for messages whose order must be kept. An empty one is none.</summary>
    string Key { get; }
}
