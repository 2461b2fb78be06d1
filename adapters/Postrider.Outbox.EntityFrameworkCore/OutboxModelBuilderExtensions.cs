using Microsoft.EntityFrameworkCore;

namespace Postrider.Outbox.EntityFrameworkCore;

/// <summary>Adds the tables of the outbox, the inbox and the sagas to a model.</summary>
public static class OutboxModelBuilderExtensions
{
    private const int MaxConsumerChars = 1000;
    private const int MaxSagaNameChars = 100;

    /// <summary>Adds the outbox, the inbox, the sagas and the relays' table; migrations then create them.</summary>
    /// <param name="model">The model, in <c>OnModelCreating</c>.</param>
    /// <param name="tables">The names of the tables; null for the defaults.</param>
    /// <returns>The model.</returns>
    public static ModelBuilder AddPostriderOutbox(this ModelBuilder model, OutboxTables? tables = null)
    {
        ArgumentNullException.ThrowIfNull(model);
        tables ??= new();
        model.Entity<OutboxMessage>(row =>
        {
            row.ToTable(tables.Outbox, tables.Schema);
            row.HasKey(static message => message.Sequence);
            row.Property(static message => message.Sequence).HasColumnName("seq").ValueGeneratedOnAdd();
            row.Property(static message => message.Id).HasColumnName("id").HasMaxLength(MessageText.MaxIdChars);
            row.Property(static message => message.Transport).HasColumnName("transport").HasMaxLength(MessageText.MaxIdChars);
            row.Property(static message => message.Destination).HasColumnName("destination").HasMaxLength(MessageText.MaxDestinationChars);
            row.Property(static message => message.Key).HasColumnName("message_key").HasMaxLength(MessageText.MaxKeyChars);
            row.Property(static message => message.Headers).HasColumnName("headers");
            row.Property(static message => message.Body).HasColumnName("body");
            row.Property(static message => message.State).HasColumnName("state").HasConversion<int>();
            row.Property(static message => message.CreatedAt).HasColumnName("created_at");
            row.Property(static message => message.DueAt).HasColumnName("due_at");
            row.Property(static message => message.RetryAt).HasColumnName("retry_at");
            row.Property(static message => message.Attempts).HasColumnName("attempts");
            row.Property(static message => message.Error).HasColumnName("error").HasMaxLength(MessageText.MaxErrorChars);
            row.HasIndex(static message => message.Id).IsUnique();
            row.HasIndex([nameof(OutboxMessage.Transport), nameof(OutboxMessage.Sequence)], $"{tables.Outbox}_ready").HasFilter("state = 0");
            row.HasIndex([nameof(OutboxMessage.Transport), nameof(OutboxMessage.Key), nameof(OutboxMessage.Sequence)], $"{tables.Outbox}_keys").HasFilter("state = 0");
            row.HasIndex([nameof(OutboxMessage.Transport), nameof(OutboxMessage.DueAt)], $"{tables.Outbox}_due").HasFilter("state = 1");
            row.HasIndex([nameof(OutboxMessage.State), nameof(OutboxMessage.Sequence)], $"{tables.Outbox}_dead").HasFilter("state = 2");
        });
        model.Entity<InboxMessage>(row =>
        {
            row.ToTable(tables.Inbox, tables.Schema);
            row.HasKey(static message => new { message.Consumer, message.Id });
            row.Property(static message => message.Consumer).HasColumnName("consumer").HasMaxLength(MaxConsumerChars);
            row.Property(static message => message.Id).HasColumnName("id").HasMaxLength(MessageText.MaxIdChars);
            row.Property(static message => message.HandledAt).HasColumnName("handled_at");
            row.HasIndex([nameof(InboxMessage.HandledAt)], $"{tables.Inbox}_handled");
        });
        model.Entity<SagaState>(row =>
        {
            row.ToTable(tables.Saga, tables.Schema);
            row.HasKey(static saga => new { saga.Name, saga.Id });
            row.Property(static saga => saga.Name).HasColumnName("name").HasMaxLength(MaxSagaNameChars);
            row.Property(static saga => saga.Id).HasColumnName("id").HasMaxLength(MessageText.MaxIdChars);
            row.Property(static saga => saga.Version).HasColumnName("version");
            row.Property(static saga => saga.Data).HasColumnName("data");
            row.Property(static saga => saga.ExpiresAt).HasColumnName("expires_at");
            row.HasIndex([nameof(SagaState.ExpiresAt)], $"{tables.Saga}_expires").HasFilter("expires_at > 0");
        });
        model.Entity<RelayLease>(row =>
        {
            row.ToTable(tables.Relay, tables.Schema);
            row.HasKey(static lease => lease.Transport);
            row.Property(static lease => lease.Transport).HasColumnName("transport").HasMaxLength(MessageText.MaxIdChars);
            row.Property(static lease => lease.Owner).HasColumnName("owner").HasMaxLength(MessageText.MaxIdChars);
            row.Property(static lease => lease.Until).HasColumnName("until");
        });
        return model;
    }
}
